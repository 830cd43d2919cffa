// SPDX-License-Identifier: Apache-2.0
'use strict';
// The run as the page shows it: pure functions of the recording and the number of a moment. Pointers and values are
// hexadecimal strings of 64-bit words.

const SNAPSHOT_EVERY = 200;
const HARD_SPACE = '\u00a0'; // no new line begins there

// ---------------------------------------------------------------------------------------------------- words

const big = hex => BigInt('0x' + hex);
const hex = number => BigInt.asUintN(64, number).toString(16);

/** The pointer to word i behind a pointer. */
const wordAt = (pointer, i) => i === 0 ? pointer : hex(big(pointer) + 8n * BigInt(i));

/** A pointer without the marks in its lowest three bits. */
const unmarked = pointer => hex(big(pointer) & ~7n);

/** The place to which a pointer leads, as in the messages of exceptions. */
function placeOf(pointer) {
  const word = big(pointer);
  return `(node ${word >> 54n}, segment ${(word >> 48n) & 63n}, offset 0x${(word & 0xfffffffffff8n).toString(16)})`;
}

/** A value that is no pointer: small ones in decimal. */
function formatNumber(value) {
  const number = BigInt.asIntN(64, big(value));
  return number > -1_000_000_000n && number < 1_000_000_000n ? String(number) : '0x' + value;
}

/** The record to which a value of a word leads; undefined if there is none. */
function targetOf(model, pointer, value) {
  const word = model.words[pointer];
  if (word === undefined || value === undefined) {
    return undefined;
  }
  return model.boxAt.get(word.reference ? unmarked(value) : word.targets?.[value]);
}

/** The same in memory, where another word may forbid that this one counts. */
const linked = (model, state, pointer) =>
  isUnused(model, state, pointer) ? undefined : targetOf(model, pointer, state.memory.get(pointer));

/** Whether another word forbids that a word counts. */
function isUnused(model, state, pointer) {
  const { flag, unusedAt } = model.words[pointer];
  return flag !== undefined && unusedAt.includes(state.memory.get(flag));
}

const isLink = word => word !== undefined && (word.reference || word.targets !== undefined);

function formatValue(model, pointer, value) {
  if (value === undefined) {
    return '?';
  }
  const word = model.words[pointer];
  const text = word?.texts?.[value] ?? '';
  const target = targetOf(model, pointer, value);
  if (target !== undefined) {
    const mark = word.reference && unmarked(value) !== value ? ' marked' : '';
    return `→${HARD_SPACE}${model.names[target]}${mark}${text && ` (${text})`}`;
  }
  if (text !== '') {
    return text;
  }
  if (isLink(word) && (value === '0' || word.targets?.[value] === '0')) {
    return 'null';
  }
  if (word?.reference) {
    return `→ ${placeOf(value)}${unmarked(value) === value ? '' : ' marked'}`;
  }
  return formatNumber(value);
}

/** The words after a list of values, for one request. */
function formatValues(model, request, values) {
  const shown = values.slice(0, 4).map((value, i) => formatValue(model, wordAt(request.pointer, i), value));
  return shown.join(', ') + (values.length > 4 ? ', …' : '');
}

// ---------------------------------------------------------------------------------------------------- names

/** Simple names of records, numbered in the order of their first use where there are several of a type. */
function boxNames(boxes, words) {
  const simple = boxes.map(box => box.type.split('.').pop());
  const since = boxes.map(() => Infinity);
  Object.values(words).filter(word => word.box >= 0).forEach(word => {
    since[word.box] = Math.min(since[word.box], word.since);
  });
  const isEarlier = (a, b) => since[a] < since[b] || since[a] === since[b] && a < b;
  return simple.map((name, i) => {
    const same = simple.map((other, k) => k).filter(k => simple[k] === name);
    return same.length > 1 ? `${name}${HARD_SPACE}${same.filter(k => isEarlier(k, i)).length + 1}` : name;
  });
}

const threadName = (model, name) => Object.hasOwn(model.threads, name) ? 'thread ' + model.threads[name] : name;

/** A text in which classes have their simple names. */
const withSimpleNames = text => text.replace(/\b(?:[a-z_]\w*\.)+(?=[A-Z])/g, '');

/** The class of an exception, without its message. */
const exceptionName = text => withSimpleNames(text.split(':')[0]);

/** The name of a word in a sentence. */
function placeName(model, pointer) {
  const word = model.words[pointer];
  if (word === undefined) {
    return '0x' + pointer;
  }
  return word.box < 0 ? `${word.name} at ${word.place}` : model.names[word.box] + '.' + word.name;
}

/** What a request does, in a few words. */
function requestName(model, request) {
  const more = request.words > 1 ? ` and ${request.words - 1} more` : '';
  return `${request.operation} of ${placeName(model, request.pointer)}${more}`;
}

/** What a request is to change. */
function intention(model, request) {
  const operands = request.operands;
  switch (request.operation) {
    case 'WRITE': return ': ' + formatValues(model, request, operands);
    case 'COMPARE_AND_SWAP': {
      const [expected, wanted] = operands.map(value => formatValue(model, request.pointer, value));
      return `: to ${wanted} if it is ${expected}`;
    }
    case 'FETCH_AND_ADD': return ': + ' + formatNumber(operands[0]);
    default: return '';
  }
}

// ---------------------------------------------------------------------------------------------------- the model

/** Prepares a recording: indexes of requests, operations, lanes and faults. */
function prepare(recording) {
  const model = { ...recording, names: boxNames(recording.boxes, recording.words), boxAt: new Map(), requests: new Map(),
    changes: new Map(), operations: [], lanes: [], faults: [], snapshots: new Map(),
    threadNames: Object.keys(recording.threads) };
  model.boxes.forEach((box, i) => model.boxAt.set(box.pointer, i));
  indexRequests(model);
  indexChanges(model);
  if (model.threadNames.length === 0) {
    model.threadNames = [...new Set([...model.requests.values()].map(request => request.thread))];
  }
  model.threadNames.sort((a, b) => (model.threads[a] ?? 0) - (model.threads[b] ?? 0) || a.localeCompare(b));
  model.lanes = [...new Set([...model.requests.values()].filter(request => isShown(model, request))
    .map(request => request.lane))].sort();
  indexOperations(model);
  model.loud = model.moments.map(moment => moment.events.some(event => isLoud(model, event)));
  return model;
}

function indexRequests(model) {
  model.moments.forEach((moment, at) => moment.events.forEach(event => {
    if (event[0] === 'post') {
      model.requests.set(event[1].id, { ...event[1], posted: at, ended: Infinity, placed: Infinity });
    }
    const request = model.requests.get(event[1]);
    if (event[0] === 'end' && request?.ended === Infinity) {
      Object.assign(request, { ended: at, status: event[2], values: event[3] });
    } else if (event[0] === 'place' && request !== undefined) {
      request.placed = at;
    } else if (event[0] === 'note' && event[1].startsWith('fault')) {
      model.faults.push(at);
    }
  }));
}

/** The changes of each word. The event after a change is of the request that made it: it is placed, or has ended. */
function indexChanges(model) {
  model.moments.forEach((moment, at) => moment.events.forEach(([kind, pointer, before, after], i) => {
    if (kind === 'change') {
      const [next, id] = moment.events[i + 1] ?? [];
      const request = next === 'place' || next === 'end' ? model.requests.get(id) : undefined;
      const earlier = changesOf(model, pointer);
      model.changes.set(pointer, earlier);
      earlier.push({ at, before, after, request });
    }
  }));
}

const changesOf = (model, pointer) => model.changes.get(pointer) ?? [];

/** Bars from calls to returns. A thread may have several operations at a time, at different depths. */
function indexOperations(model) {
  const open = [];
  model.moments.forEach((moment, at) => moment.events.forEach(([kind, thread, operation, result]) => {
    if (kind === 'call') {
      const depth = open.filter(other => other.thread === thread).length;
      open.push({ thread, operation, depth, from: at, to: model.moments.length, result: '' });
      model.operations.push(open.at(-1));
    } else if (kind === 'return' || kind === 'throw') {
      const ended = open.findIndex(other => other.thread === thread && other.operation === operation);
      if (ended >= 0) {
        Object.assign(open.splice(ended, 1)[0], { to: at, result: kind === 'throw' ? withSimpleNames(result) : result });
      }
    }
  }));
}

/** Whether a request belongs to a thread that is shown: the framework's own threads watch nodes in the background. */
const isShown = (model, request) => request !== undefined && model.threadNames.includes(request.thread);

function isLoud(model, event) {
  switch (event[0]) {
    case 'post': return isShown(model, event[1]);
    case 'end': case 'place': return isShown(model, model.requests.get(event[1]));
    case 'change': return false;
    default: return true;
  }
}

/** The nearest moment in a direction in which a shown thread takes part. */
function nextMoment(model, at, direction) {
  let next = at + direction;
  while (next > 0 && next < model.moments.length - 1 && !model.loud[next]) {
    next += direction;
  }
  return Math.max(0, Math.min(model.moments.length - 1, next));
}

/** The moment at which the first operation begins. */
function firstCall(model) {
  const first = model.operations[0];
  return first === undefined ? 0 : first.from;
}

// ---------------------------------------------------------------------------------------------------- states

function initialState(model) {
  const state = { memory: new Map(), beliefs: new Map(), operations: new Map(), flight: new Map(), sources: new Map(),
    returned: new Map() };
  for (const [pointer, word] of Object.entries(model.words)) {
    if (word.first !== null) {
      state.memory.set(pointer, word.first);
    }
  }
  model.threadNames.forEach(name => state.beliefs.set(name, new Map()));
  return state;
}

function copyState(state) {
  return { memory: new Map(state.memory), operations: new Map(state.operations), sources: new Map(state.sources),
    returned: new Map(state.returned),
    beliefs: new Map([...state.beliefs].map(([name, words]) => [name, new Map(words)])),
    flight: new Map([...state.flight].map(([id, flight]) => [id, { ...flight }])) };
}

/** Everything after a moment. */
function stateAt(model, at) {
  let from = Math.floor(at / SNAPSHOT_EVERY) * SNAPSHOT_EVERY;
  while (from > 0 && !model.snapshots.has(from)) {
    from -= SNAPSHOT_EVERY;
  }
  const state = from > 0 ? copyState(model.snapshots.get(from)) : initialState(model);
  for (let i = from > 0 ? from + 1 : 0; i <= at; i++) {
    beginMoment(model, state);
    model.moments[i]?.events.forEach(event => apply(model, state, event));
    if (i > 0 && i % SNAPSHOT_EVERY === 0) {
      model.snapshots.set(i, copyState(state));
    }
  }
  return state;
}

/** A thread's local values end with its operation; what it had seen is still shown at the moment of the return. */
function beginMoment(model, state) {
  state.returned.forEach(({ isLast }, number) => isLast && forget(model, state, number));
  state.returned.clear();
}

function apply(model, state, [kind, subject, ...rest]) {
  switch (kind) {
    case 'call':
      if (operationsOf(state, subject).length === 0 && !state.returned.has(subject)) {
        forget(model, state, subject);
      }
      state.operations.set(subject, [...operationsOf(state, subject), rest[0]]);
      break;
    case 'return': case 'throw':
      state.operations.set(subject, without(operationsOf(state, subject), rest[0]));
      state.returned.set(subject, { isLast: operationsOf(state, subject).length === 0, source: rest[2],
        text: `${rest[0]} has ${kind === 'return' ? `returned ${rest[1]}` : `failed with ${exceptionName(rest[1])}`}` });
      break;
    case 'post':
      state.flight.set(subject.id, { request: subject, left: subject.words, isAcknowledged: false });
      if (subject.source !== '') { // requests of the framework itself, such as the READ behind a WRITE, have none
        state.sources.set(subject.thread, subject.source);
      }
      break;
    case 'end':
      end(state, subject, rest[0], rest[1]);
      break;
    case 'place':
      place(state, subject);
      break;
    case 'change':
      state.memory.set(subject, rest[1]);
      break;
  }
}

/** The operations that a thread has called and that have not returned: several if they are asynchronous. */
const operationsOf = (state, number) => state.operations.get(number) ?? [];

/** A list without one of its elements. */
function without(list, one) {
  const at = list.indexOf(one);
  return list.filter((other, i) => i !== at);
}

/** Ends what a thread has seen. */
function forget(model, state, number) {
  model.threadNames.filter(name => model.threads[name] === number).forEach(name => state.beliefs.get(name)?.clear());
}

function end(state, id, status, values) {
  const flight = state.flight.get(id);
  if (flight === undefined) {
    return;
  }
  if (status === 'SUCCESS') {
    learn(state, flight.request, values);
  }
  flight.isAcknowledged = true;
  if (status !== 'SUCCESS' || flight.request.operation !== 'WRITE' || flight.left === 0) {
    state.flight.delete(id);
  }
}

function place(state, id) {
  const flight = state.flight.get(id);
  if (flight !== undefined && --flight.left === 0 && flight.isAcknowledged) {
    state.flight.delete(id);
  }
}

/** What a thread knows from a request that has ended. */
function learn(state, request, values) {
  const beliefs = state.beliefs.get(request.thread);
  known(request, values).forEach((value, i) => beliefs?.set(wordAt(request.pointer, i), value));
}

function known(request, values) {
  const operands = request.operands;
  switch (request.operation) {
    case 'COMPARE_AND_SWAP': return [values[0] === operands[0] ? operands[1] : values[0]];
    case 'FETCH_AND_ADD': return [hex(big(values[0]) + big(operands[0]))];
    default: return values;
  }
}

/** The values that threads have seen of a word, where memory has another one and will not get theirs. */
function staleBeliefs(model, state, pointer) {
  const now = state.memory.get(pointer);
  const coming = comingWrites(state, pointer);
  return model.threadNames.map(name => ({ name, value: state.beliefs.get(name).get(pointer) }))
    .filter(belief => belief.value !== undefined && now !== undefined && belief.value !== now
      && !coming.some(write => write.request.thread === belief.name && write.value === belief.value));
}

/** The WRITEs of a word that are not placed. */
function comingWrites(state, pointer) {
  state.coming ??= allComingWrites(state);
  return state.coming.get(pointer) ?? [];
}

/** The WRITEs that are not placed, by the words that they will change. */
function allComingWrites(state) {
  const coming = new Map();
  [...state.flight.values()].filter(flight => flight.request.operation === 'WRITE').forEach(({ request }) =>
    request.operands.forEach((value, i) => {
      const word = wordAt(request.pointer, i);
      if (value !== state.memory.get(word)) {
        coming.set(word, [...(coming.get(word) ?? []), { request, value }]);
      }
    }));
  return coming;
}

// ---------------------------------------------------------------------------------------------------- sentences

/** The events of a moment as sentences. The exception of an operation is not repeated as the failure of the run. */
function sentences(model, at) {
  const { events } = model.moments[at];
  const changes = events.some(event => event[0] === 'change');
  const thrown = events.filter(([kind]) => kind === 'throw').map(event => 'failure: ' + event[3]);
  return events.filter(([kind, text]) => kind === 'place' ? !changes : kind !== 'note' || !thrown.includes(text))
    .map(event => sentence(model, at, event));
}

function sentence(model, at, [kind, subject, ...rest]) {
  switch (kind) {
    case 'call': return `thread ${subject} calls ${rest[0]}`;
    case 'return': return `thread ${subject} returns from ${rest[0]}: ${rest[1]}`;
    case 'throw': return `thread ${subject} fails in ${rest[0]} with ${withSimpleNames(rest[1])}`;
    case 'post': return `${threadName(model, subject.thread)} posts ${requestName(model, subject)}`
      + `${intention(model, subject)}${subject.source && ` (${subject.source})`}`;
    case 'end': return endSentence(model, at, model.requests.get(subject));
    case 'place': return 'a WRITE reaches memory, which had that value';
    case 'change': {
      const here = changesOf(model, subject).find(change => change.at === at && change.after === rest[1]);
      return `${placeName(model, subject)}: ${changeSentence(model, subject, here)}`;
    }
    default: return withSimpleNames(subject);
  }
}

function endSentence(model, at, request) {
  if (request === undefined) {
    return 'a request of an earlier moment has ended';
  }
  return `${requestName(model, request)} by ${threadName(model, request.thread)} ${outcome(model, at, request)}`;
}

/** What a request that has ended by a moment has done. */
function outcome(model, at, request) {
  if (request.status !== 'SUCCESS') {
    return `fails: ${request.status}`;
  }
  const { operation, operands, values } = request;
  if (operation === 'WRITE') {
    return request.placed > at ? 'is acknowledged, and not placed yet' : 'is complete';
  }
  const found = formatValues(model, request, values);
  if (operation === 'READ') {
    return `finds ${found}`;
  }
  return operation === 'COMPARE_AND_SWAP' && values[0] !== operands[0]
    ? `finds ${found}, not ${formatValue(model, request.pointer, operands[0])}`
    : `changes ${found} to ${formatValue(model, request.pointer, known(request, values)[0])}`;
}

/** What a change of a word did, and who made it. */
function changeSentence(model, pointer, { before, after, request }) {
  const text = `${formatValue(model, pointer, before)} becomes ${formatValue(model, pointer, after)}`;
  return request === undefined ? text : `${text} by ${author(model, request)}`;
}

/** The thread that made a request, and how. */
function author(model, request) {
  return `${threadName(model, request.thread)}${request.source && ` (${request.operation}, ${request.source})`}`;
}

/** The word that a sentence names by its place, if one belongs to a record. */
function namedWord(model, text) {
  return Object.keys(model.words).find(pointer => model.words[pointer].box >= 0
    && text.match(/node \d+, segment \d+, offset 0x[0-9a-f]+/g)?.includes(model.words[pointer].place));
}

/** The operation of a thread whose requests are listed: one that returns at a moment, or the one that goes wrong. */
function listedOperation(model, name, at) {
  const own = model.operations.filter(({ thread }) => thread === model.threads[name]);
  return own.find(({ to }) => to === at)
    ?? own.find(({ from, to }) => to === model.violation && from <= at && at <= to);
}

/** The requests of a thread that were posted and ended during an operation, in the order in which they ended. */
function requestsOf(model, name, { from, to }) {
  return [...model.requests.values()]
    .filter(request => request.thread === name && request.posted >= from && request.ended <= to && request.source !== '')
    .sort((a, b) => a.ended - b.ended);
}
