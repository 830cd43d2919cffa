// SPDX-License-Identifier: Apache-2.0
// The page: draws the moment at which the reader is.

const SVG = 'http://www.w3.org/2000/svg';
const FIRST_WORDS = 16;
const MOST_WORDS = 32;
const MOST_ITEMS = 8;
const MOST_REQUESTS = 40;
const MOST_EARLIER_CHANGES = 8;
const MOST_LATER_CHANGES = 4;
const MOST_LABELLED_CELLS = 24;
const MOST_DRAWN_CELLS = 128;

const byId = id => document.getElementById(id);

/** Makes an element. Children are elements or texts; a text is never markup. */
function element(name, attributes, ...children) {
  const made = document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  made.append(...children);
  return made;
}

function shape(name, attributes, text = '') {
  const made = document.createElementNS(SVG, name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  made.textContent = text;
  return made;
}

// ---------------------------------------------------------------------------------------------------- memory

function drawMemory(model, state, at) {
  const drawing = arrange(model, state, at);
  const changed = new Set(model.moments[at].events.filter(event => event[0] === 'change').map(event => event[1]));
  const box = i => drawBox(model, state, drawing, changed, i);
  const parts = [];
  if (drawing.singles.length > 0) {
    parts.push(element('div', { class: 'singles' }, ...drawing.singles.map(box)));
  }
  if (drawing.levels.length > 0) {
    parts.push(drawTree(model, drawing, box));
  }
  drawing.chains.forEach(chain => parts.push(drawChain(model, chain, box)));
  const outside = drawing.byBox.get(-1) ?? [];
  if (outside.length > 0) {
    parts.push(drawOutside(model, state, changed, outside));
  }
  return parts;
}

/** A row of records, with an arrow between them; a ring ends where it began. */
function drawChain(model, { row, then }, box) {
  const parts = row.map((i, n) => n === 0 ? box(i) : element('div', { class: 'linked' }, arrow('→'), box(i)));
  if (row.includes(then)) {
    parts.push(arrow('↺ ' + model.names[then]));
  } else if (then >= 0) {
    parts.push(arrow('→ ' + model.names[then]));
  }
  return element('div', { class: 'chain' }, ...parts);
}

const arrow = text => element('span', { class: 'arrow' }, text);

/** The levels of trees, from the roots down; {@link connect} draws the lines to children. */
function drawTree(model, drawing, box) {
  const rows = drawing.levels.map(level => element('div', { class: 'level', 'aria-label': `Level ${level.height}` },
    ...level.chains.map(chain => drawChain(model, chain, box))));
  const tree = element('div', { class: 'tree' }, ...rows);
  tree.links = drawing.children;
  return tree;
}

/** Draws lines from the nodes of a tree to their children, once the browser has placed them. */
function connect(tree) {
  const area = tree.getBoundingClientRect();
  const svg = shape('svg', { class: 'links', 'aria-hidden': 'true', width: area.width, height: area.height });
  const placeOf = box => tree.querySelector(`[data-box="${box}"]`)?.getBoundingClientRect();
  tree.links.forEach((children, box) => children.forEach(child => {
    const [from, to] = [placeOf(box), placeOf(child)];
    if (from !== undefined && to !== undefined) {
      svg.append(shape('line', { x1: from.left + from.width / 2 - area.left, y1: from.bottom - area.top,
        x2: to.left + to.width / 2 - area.left, y2: to.top - area.top }));
    }
  }));
  tree.append(svg);
}

/** A ring as a circle: cells between the first and the last position are filled. */
function drawCircle(model, state, box) {
  const { cells } = model.boxes[box].ring;
  const positions = ringPositions(model, state, box);
  const span = ringSpan(positions, cells);
  const names = positions.map(({ name, position }) => `${name} ${position}`).join(', ');
  const svg = shape('svg', { class: 'ring', viewBox: '-120 -75 240 150', role: 'img',
    'aria-label': `A ring of ${cells} cells: ${names}` });
  const point = (cell, radius) => { // cell 0 begins at the top; they go round clockwise
    const angle = 2 * Math.PI * cell / cells - Math.PI / 2;
    return [radius * Math.cos(angle), radius * Math.sin(angle)].map(x => x.toFixed(1)).join(' ');
  };
  for (let i = 0; i < cells; i++) {
    const large = cells === 1 ? 0.999 : 1; // an arc from a point to itself is none
    const arc = cells < 3 ? 1 : 0; // of half a circle or more
    svg.append(shape('path', { class: span.has(i) ? 'full' : 'free', d: `M${point(i, 48)} A48 48 0 ${arc} 1 `
      + `${point(i + large, 48)} L${point(i + large, 28)} A28 28 0 ${arc} 0 ${point(i, 28)} Z` }));
    if (cells <= MOST_LABELLED_CELLS) {
      const [x, y] = point(i + 0.5, 38).split(' ');
      svg.append(shape('text', { class: span.has(i) ? 'inside' : '', x, y }, i));
    }
  }
  [...new Set(positions.map(({ cell }) => cell))].forEach(cell => {
    const [x, y] = point(cell + 0.5, 56).split(' ').map(Number);
    const here = positions.filter(other => other.cell === cell);
    const anchor = Math.abs(x) < 12 ? 'middle' : x < 0 ? 'end' : 'start';
    here.forEach(({ name }, i) => svg.append(shape('text', { x, y: y + 12 * (i - (here.length - 1) / 2),
      class: 'position', 'text-anchor': anchor }, name)));
  });
  return svg;
}

/** A ring: a circle, the words outside its cells, and the cells in a row that goes round. */
function drawRing(model, state, changed, box, words) {
  const { cells } = model.boxes[box].ring;
  const positions = ringPositions(model, state, box);
  const inCells = words.filter(pointer => model.words[pointer].cell !== undefined);
  const byCell = new Map();
  inCells.forEach(pointer => {
    const { cell } = model.words[pointer];
    byCell.set(cell, [...(byCell.get(cell) ?? []), pointer]);
  });
  const row = [...byCell.keys()].sort((a, b) => a - b).map(cell => {
    const here = positions.filter(position => position.cell === cell);
    return element('div', { class: 'cell' }, element('h3', {}, `${cell}`,
      ...here.map(({ name }) => element('span', { class: 'badge position' }, name))),
      ...byCell.get(cell).map(pointer => drawWord(model, state, changed, pointer,
        model.words[pointer].name.replace(`[${cell}]`, ''))));
  });
  const circle = cells <= MOST_DRAWN_CELLS ? [drawCircle(model, state, box)] : [];
  const rest = drawWords(model, state, changed, words.filter(pointer => !inCells.includes(pointer)));
  return [element('div', { class: 'round' }, ...circle, element('div', {}, ...rest)),
    element('div', { class: 'cells' }, ...row, arrow('↺ 0'))];
}

function drawBox(model, state, drawing, changed, i) {
  const { type, place, element: name, ring } = model.boxes[i];
  const heading = element('h3', { title: `${type} at (${place})` }, model.names[i]);
  const pointers = drawing.byBox.get(i) ?? [];
  const words = ring === undefined ? drawWords(model, state, changed, pointers)
    : drawRing(model, state, changed, i, pointers);
  const inner = drawing.nested.get(i) ?? [];
  const { parent } = model.boxes[i];
  if (name !== '' && parent >= 0) {
    const isInside = [...drawing.nested.values()].some(boxes => boxes.includes(i));
    heading.append(' ', element('span', { class: 'soft' }, isInside ? name : `${model.names[parent]}.${name}`));
  }
  const box = element('div', { class: 'box', 'data-box': i }, heading, ...words);
  if (inner.length > 0) {
    box.append(element('div', { class: 'nested' },
      ...inner.map(part => drawBox(model, state, drawing, changed, part))));
  }
  return box;
}

/** The words of a record; of many, the first ones that are no null of an array, and those that are interesting now. */
function drawWords(model, state, changed, pointers) {
  const isInteresting = pointer => changed.has(pointer) || staleBeliefs(model, state, pointer).length > 0
    || comingWrites(state, pointer).length > 0;
  const isNull = pointer => model.words[pointer].name.endsWith(']')
    && formatValue(model, pointer, state.memory.get(pointer)) === 'null';
  const first = new Set((pointers.length > FIRST_WORDS ? pointers.filter(pointer => !isNull(pointer)) : pointers)
    .slice(0, FIRST_WORDS));
  const shown = pointers.filter(pointer => first.has(pointer) || isInteresting(pointer)).slice(0, MOST_WORDS);
  const words = shown.map(pointer => drawWord(model, state, changed, pointer));
  const left = pointers.length - shown.length;
  return left === 0 ? words : [...words, element('div', { class: 'soft' }, `and ${left} more words`)];
}

function drawWord(model, state, changed, pointer, name = model.words[pointer].name) {
  const isShown = !isUnused(model, state, pointer);
  const value = element('span', { class: 'value' },
    isShown ? formatValue(model, pointer, state.memory.get(pointer)) : 'unused');
  value.classList.toggle('soft', !isShown);
  if (changed.has(pointer)) {
    value.classList.add('changed');
  }
  const badges = element('div', { class: 'badges' },
    ...staleBeliefs(model, state, pointer).map(belief => element('span', { class: 'badge stale' },
      `${threadName(model, belief.name)}: ${formatValue(model, pointer, belief.value)}`)),
    ...comingWrites(state, pointer).map(coming => element('span', { class: 'badge coming' },
      `${threadName(model, coming.request.thread)} writes ${formatValue(model, pointer, coming.value)}`)));
  const isChosen = pointer === player.word;
  const button = element('button', { 'data-word': pointer, 'aria-pressed': isChosen, title: 'Lists its changes' }, name);
  button.addEventListener('click', () => choose(isChosen ? undefined : pointer));
  return element('div', { class: 'word' }, button, value, badges);
}

/** Shows the changes of a word; of none, if it is undefined. */
function choose(pointer) {
  player.word = pointer;
  show(player.at);
}

/** The changes of the chosen word: those up to this moment, and the next ones. */
function drawChanges(model, at) {
  const { word } = player;
  const all = changesOf(model, word);
  const past = all.filter(change => change.at <= at).length;
  const [from, to] = [Math.max(0, past - MOST_EARLIER_CHANGES), past + MOST_LATER_CHANGES];
  const items = all.slice(from, to).map((change, i) => element('li',
    { class: from + i === past - 1 ? 'now' : from + i < past ? '' : 'soft' },
    momentLink(change.at), `: ${changeSentence(model, word, change)}`));
  const none = all.length === 0 ? [element('p', { class: 'soft' }, 'It does not change in this run.')] : [];
  const left = [[from, 'earlier'], [all.length - to, 'later']].filter(([count]) => count > 0)
    .map(([count, when]) => `${count} ${when}`);
  return [element('h3', {}, `Changes of ${placeName(model, word)}`), element('ul', {}, ...items), ...none,
    ...(left.length === 0 ? [] : [element('p', { class: 'soft' }, `and ${left.join(', ')}`)])];
}

/** A link to a moment. */
function momentLink(at) {
  const link = element('a', { href: `#${at}` }, `moment ${at}`);
  link.addEventListener('click', event => { // the address may be the same as before
    event.preventDefault();
    go(at);
  });
  return link;
}

let isOutsideOpen = false;

/** Words that belong to no record that a thread has a view of, such as those of segment headers. */
function drawOutside(model, state, changed, pointers) {
  const details = element('details', {}, element('summary', {}, `Other words (${pointers.length})`),
    ...pointers.map(pointer => drawWord(model, state, changed, pointer,
      placeName(model, pointer))));
  details.open = isOutsideOpen;
  details.addEventListener('toggle', () => { isOutsideOpen = details.open; });
  return details;
}

// ---------------------------------------------------------------------------------------------------- threads

function drawThreads(model, state, at) {
  return model.threadNames.map(name => {
    const number = model.threads[name];
    const { text, source: failed } = state.returned.get(number) ?? {};
    const doing = [text, ...operationsOf(state, number)].filter(what => what !== undefined);
    const source = failed || state.sources.get(name);
    const parts = [
      element('h3', {}, `${threadName(model, name)}: ${doing.length === 0 ? 'in no operation' : doing.join('; then ')}`),
      ...(source ? drawSource(model, source, failed ? 'failed at' : 'last request at') : []),
      ...drawRequests(model, name, at)];
    const items = [...flights(model, state, name).map(text => [text]), ...differences(model, state, name, at)];
    if (items.length > 0) {
      const left = items.length - MOST_ITEMS;
      const shown = left > 0 ? [...items.slice(0, MOST_ITEMS), [`and ${left} more`]] : items;
      parts.push(element('ul', {}, ...shown.map(item => element('li', {}, ...item))));
    }
    return element('div', { class: 'thread' }, ...parts);
  });
}

/**
 * The requests of the operation that goes wrong, while it lasts, and of one that returns now, each with a link to the
 * moment at which it ended.
 */
function drawRequests(model, name, at) {
  const operation = listedOperation(model, name, at);
  const requests = operation === undefined ? [] : requestsOf(model, name, operation);
  const left = Math.max(0, requests.length - MOST_REQUESTS);
  const items = requests.slice(left).map(request => element('li', { class: request.ended === at ? 'now' : '' },
    momentLink(request.ended), `: ${requestName(model, request)} ${outcome(model, request.ended, request)}`));
  const what = at < operation?.to ? `all that ${operation.operation} does` : 'it did';
  const caption = element('div', { class: 'soft' }, left === 0 ? what : `after ${left} more, ${what}`);
  return items.length === 0 ? [] : [caption, element('ul', {}, ...items)];
}

/** The line of source that posted a request or failed, with its text if that was at hand. */
function drawSource(model, source, what) {
  const text = model.sources[source];
  return [element('div', { class: 'soft' }, `${what} ${source}`),
    ...(text === undefined ? [] : [element('pre', {}, text)])];
}

/** The requests of a thread that are in flight. */
function flights(model, state, name) {
  const own = [...state.flight.values()].filter(flight => flight.request.thread === name);
  return own.map(({ request, isAcknowledged }) => `${isAcknowledged ? 'not placed' : 'in flight'}: `
    + `${requestName(model, request)}${intention(model, request)}, ${request.lane}`);
}

/** What a thread has read and is so no longer, but for the framework's own words; with a link to the change. */
function differences(model, state, name, at) {
  return [...state.beliefs.get(name)]
    .filter(([pointer]) => model.words[pointer]?.box >= 0 || model.words[pointer]?.name === 'word')
    .filter(([pointer]) => staleBeliefs(model, state, pointer).some(belief => belief.name === name))
    .map(([pointer, value]) => {
      const text = `${placeName(model, pointer)}: it has seen ${formatValue(model, pointer, value)}, `
        + `memory has ${formatValue(model, pointer, state.memory.get(pointer))}`;
      const last = changesOf(model, pointer).filter(change => change.at <= at).at(-1);
      const by = last?.request === undefined ? '' : ` by ${threadName(model, last.request.thread)}`;
      return last === undefined ? [text] : [`${text} since `, momentLink(last.at), by];
    });
}

// ---------------------------------------------------------------------------------------------------- the controls

const player = { model: null, at: 0, timer: 0, word: undefined };

function show(at) {
  const { model } = player;
  player.at = Math.max(0, Math.min(model.moments.length - 1, at));
  const moment = model.moments[player.at];
  const state = stateAt(model, player.at);
  byId('position').value = player.at;
  byId('where').textContent = `moment ${player.at} of ${model.moments.length - 1}, step ${moment.step}, `
    + `${(moment.nanos / 1000).toLocaleString('en')} µs` + (player.at === model.violation ? ': the violation' : '');
  byId('agent').textContent = threadName(model, moment.agent);
  byId('events').replaceChildren(...sentences(model, player.at).map(text => element('li', {}, text)));
  const timeline = byId('timeline');
  timeline.replaceChildren(drawTimeline(model, player.at, Math.max(280, timeline.clientWidth)));
  const focused = document.activeElement?.closest('.word button')?.dataset.word;
  byId('memory').replaceChildren(...drawMemory(model, state, player.at));
  document.querySelector(`.word button[data-word="${focused}"]`)?.focus();
  byId('changes').hidden = player.word === undefined;
  byId('changes').replaceChildren(...(player.word === undefined ? [] : drawChanges(model, player.at)));
  document.querySelectorAll('.tree').forEach(connect);
  byId('threads').replaceChildren(...drawThreads(model, state, player.at));
}

function stop() {
  clearInterval(player.timer);
  player.timer = 0;
  byId('run').textContent = 'Run';
}

/** Goes to a moment and stops there. */
function go(at) {
  stop();
  show(at);
}

const step = direction => nextMoment(player.model, player.at, direction);

function runOrStop() {
  if (player.timer !== 0) {
    stop();
    return;
  }
  byId('run').textContent = 'Stop';
  player.timer = setInterval(advance, Number(byId('speed').value));
}

/** One step of a run, which stops at the violation and at the end. */
function advance() {
  show(step(1));
  if (player.at === player.model.violation || player.at === player.model.moments.length - 1) {
    stop();
  }
}

function violation() {
  if (player.model.violation >= 0) {
    go(player.model.violation);
  }
}

function pressed(event) {
  const tag = event.target.tagName;
  if (event.ctrlKey || event.altKey || event.metaKey || tag === 'SELECT') {
    return;
  }
  const leap = direction => { // ten steps with Shift
    let at = player.at;
    for (let i = 0; i < (event.shiftKey ? 10 : 1); i++) {
      at = nextMoment(player.model, at, direction);
    }
    go(at);
  };
  const actions = { ArrowRight: () => leap(1), ArrowLeft: () => leap(-1), Home: () => go(0),
    End: () => go(player.model.moments.length - 1), v: violation, V: violation, ' ': runOrStop };
  const isButton = tag === 'BUTTON' || tag === 'SUMMARY'; // space presses it
  if (event.key in actions && !(event.key === ' ' && isButton)) {
    event.preventDefault();
    actions[event.key]();
  }
}

/** Does something on a click; a mouse then leaves the focus where keys work. */
function onClick(id, action) {
  byId(id).addEventListener('click', event => {
    action();
    if (event.detail > 0) {
      byId(id).blur();
    }
  });
}

/** A sentence in which places also have the names that the page shows, such as Node 3.lock. */
function withNames(model, text) {
  const names = new Map(Object.entries(model.words).filter(([, word]) => word.box >= 0)
    .map(([pointer, word]) => [word.place, placeName(model, pointer)]));
  return text.replace(/node \d+, segment \d+, offset 0x[0-9a-f]+/g,
    place => names.has(place) ? `${place} (${names.get(place)})` : place);
}

/** Whether this page is a frame in another one, which then has the words about it. */
const isEmbedded = () => window.self !== window.top;

function showCaption(model) {
  byId('title').textContent = model.title;
  byId('replay').textContent = model.replay;
  byId('dropped').hidden = model.dropped === 0;
  byId('dropped').textContent = `${model.dropped} earlier moments are left out.`;
  const failure = byId('failure');
  failure.hidden = model.failure === '';
  const lines = withSimpleNames(model.failure).split('\n');
  failure.querySelector('summary').textContent = withNames(model, lines.pop());
  failure.querySelector('pre').textContent = lines.join('\n');
  failure.classList.toggle('short', lines.length === 0);
  failure.open = lines.length > 0 && !isEmbedded();
  byId('violate').hidden = model.violation < 0;
}

/** The moment in the address, such as #120, or #first for the first call; without one the violation, if there is one. */
function addressed(model, moment) {
  const otherwise = moment !== 'first' && model.violation >= 0 ? model.violation : firstCall(model);
  return /^\d+$/.test(moment) ? Number(moment) : otherwise;
}

/** Goes to the moment in the address, and with ",run" behind it runs on, unless the reader wants less motion. */
function follow() {
  const [moment, mode] = location.hash.slice(1).split(',');
  go(addressed(player.model, moment));
  if (mode === 'run' && !matchMedia('(prefers-reduced-motion: reduce)').matches) {
    runOrStop();
  }
}

function start() {
  document.documentElement.classList.toggle('embedded', isEmbedded());
  const model = prepare(JSON.parse(byId('recording').textContent));
  showCaption(model);
  if (model.moments.length === 0) {
    byId('where').textContent = 'Nothing has happened in this run.';
    return;
  }
  player.model = model;
  player.word = namedWord(model, model.failure);
  byId('position').max = model.moments.length - 1;
  byId('position').addEventListener('input', event => go(Number(event.target.value)));
  onClick('first', () => go(0));
  onClick('back', () => go(step(-1)));
  onClick('run', runOrStop);
  onClick('next', () => go(step(1)));
  onClick('last', () => go(model.moments.length - 1));
  onClick('violate', violation);
  byId('speed').addEventListener('change', () => { // a run goes on at the new speed
    if (player.timer !== 0) {
      stop();
      runOrStop();
    }
  });
  document.addEventListener('keydown', pressed);
  addEventListener('resize', () => show(player.at));
  addEventListener('hashchange', follow);
  follow();
}

start();
