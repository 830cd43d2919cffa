// SPDX-License-Identifier: Apache-2.0

// ---------------------------------------------------------------------------------------------------- the timeline
// Operations and requests as bars along time.

const THREAD_ROW = 28;
const LANE_ROW = 18;
const COLUMN = 14;

/** Threads and lanes as lines, around the current moment. */
function drawTimeline(model, at, width) {
  const lines = [...model.threadNames.map(name => ({ name: threadName(model, name), thread: model.threads[name] })),
    ...model.lanes.map(lane => ({ name: lane.replace(/^lane (\d+) from (\d+) to (\d+)$/, 'lane $1: $2 → $3'), lane }))];
  const left = Math.min(150, width * 0.26);
  const columns = Math.max(8, Math.floor((width - left) / COLUMN));
  const from = Math.max(0, Math.min(at - Math.floor(columns * 0.6), model.moments.length - columns));
  const view = { model, at, left, from, to: from + columns, x: moment => left + (moment - from) * COLUMN };
  const height = model.threadNames.length * THREAD_ROW + model.lanes.length * LANE_ROW + 20;
  const svg = shape('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img',
    'aria-label': `Threads and lanes from moment ${from} to ${Math.min(view.to, model.moments.length) - 1}` });
  svg.append(shape('rect', { class: 'cursor', x: view.x(at), y: 0, width: COLUMN, height }));
  let top = 16;
  lines.forEach(line => {
    const row = line.lane === undefined ? THREAD_ROW : LANE_ROW;
    const y = top + row / 2;
    top += row;
    svg.append(shape('line', { class: 'rail', x1: left, x2: left + columns * COLUMN, y1: y, y2: y }));
    svg.append(...(line.lane === undefined ? operationBars(view, line.thread, y) : requestBars(view, line.lane, y)));
    svg.append(shape('text', { x: 0, y: y + 4 }, line.name));
  });
  svg.append(...marks(view, height));
  return svg;
}

/** The part of a bar, from one point of time to another, that is inside the view; null if none is. */
function clip(view, from, to) {
  const start = Math.max(from, view.from);
  const end = Math.min(to, view.to);
  if (start >= end) {
    return null;
  }
  const isCut = end < to; // then it has no round end, and reaches the edge
  return { x: view.x(start) + 1, width: (end - start) * COLUMN - (isCut ? 1 : 2), isCut };
}

/** The operations of a thread; those that it calls before another has returned are drawn over that one. */
function operationBars(view, thread, y) {
  const visible = view.model.operations.filter(operation => operation.thread === thread)
    .map(operation => ({ operation, text: operationText(view, operation),
      part: clip(view, operation.from + 0.5, Math.max(operation.from + 1.5, operation.to + 0.5)) }))
    .filter(({ part }) => part !== null);
  return [...visible.map(bar => operationBar(view, bar, y)),
    ...visible.filter(({ operation }) => operation.depth === 0).map(bar => operationLabel(view, bar, y))];
}

/** An operation, with its result once it has returned. */
const operationText = (view, { operation, result, to }) =>
  operation + (result === '' || to > view.at ? '' : ' → ' + result);

/** What comes after the moment is paler. */
function operationBar(view, { operation, text, part }, y) {
  const inset = Math.min(8, 3 * operation.depth);
  const bar = shape('path', { class: operation.from > view.at ? 'call later' : 'call',
    d: outline(part, y - 10 + inset, 20 - inset, 4) });
  bar.append(shape('title', {}, text));
  return bar;
}

/** A bar with round corners, but square ones at the right if it goes on there. */
function outline({ x, width, isCut }, y, height, radius) {
  const r = Math.min(radius, width / 2);
  const round = isCut ? 0 : r;
  return `M${x + r} ${y} H${x + width - round} q${round} 0 ${round} ${round} V${y + height - round}`
    + ` q0 ${round} ${-round} ${round} H${x + r} q${-r} 0 ${-r} ${-r} V${y + r} q0 ${-r} ${r} ${-r} Z`;
}

const pen = document.createElement('canvas').getContext('2d');

/** How many pixels a label is wide. */
function widthOf(text) {
  pen.font = '12px system-ui, sans-serif'; // as in player.css
  return pen.measureText(text).width;
}

function operationLabel(view, { operation, text, part }, y) {
  const fits = longestThatFits(text, part.width - 8);
  const shown = text.length <= fits ? text : fits < 3 ? '' : text.slice(0, fits) + '…';
  return shape('text', { class: operation.from > view.at ? 'inside later' : 'inside', x: part.x + 4, y: y + 4 }, shown);
}

/** How many letters of a label have room: all, or so many that the dots behind them have, too. */
function longestThatFits(text, room) {
  if (widthOf(text) <= room) {
    return text.length;
  }
  let length = 0;
  while (widthOf(text.slice(0, length + 1) + '…') <= room) {
    length++;
  }
  return length;
}

function requestBars(view, lane, y) {
  return [...view.model.requests.values()].filter(request => request.lane === lane && isShown(view.model, request))
    .flatMap(request => [
      requestBar(view, request, 'flight', request.posted, request.ended, y),
      request.placed > request.ended && request.placed < Infinity
        ? requestBar(view, request, 'unplaced', request.ended + 1, request.placed, y) : null])
    .filter(bar => bar !== null);
}

function requestBar(view, request, kind, from, to, y) {
  const part = clip(view, from, to + 1);
  if (part === null) {
    return null;
  }
  const bar = shape('path', { class: from > view.at ? kind + ' later' : kind, d: outline(part, y - 4, 8, 3) });
  bar.append(shape('title', {},
    `${requestName(view.model, request)}${intention(view.model, request)}, ${threadName(view.model, request.thread)}`));
  return bar;
}

const faultsAt = (model, moment) => model.moments[moment].events
  .filter(([kind, text]) => kind === 'note' && text.startsWith('fault')).map(event => event[1]).join('; ');

/** The violation and the faults. */
function marks(view, height) {
  const isInside = moment => moment >= view.from && moment < view.to;
  const faults = view.model.faults.filter(isInside).map(moment => {
    const x = view.x(moment) + COLUMN / 2;
    const mark = shape('path', { class: 'fault', d: `M${x - 6} 14 L${x + 6} 14 L${x} 2 Z` });
    mark.append(shape('title', {}, faultsAt(view.model, moment)));
    return mark;
  });
  const at = view.model.violation;
  const x = view.x(at) + COLUMN / 2;
  return isInside(at) ? [...faults, shape('line', { class: 'violation', x1: x, x2: x, y1: 0, y2: height })] : faults;
}
