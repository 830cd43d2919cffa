// SPDX-License-Identifier: Apache-2.0

// ---------------------------------------------------------------------------------------------------- the layout
// Where records are drawn: in lists, in trees, as rings, inside others, or alone.

/** The words of each record that have been used by a moment, in the order of memory; key -1: those outside. */
function wordsByBox(model, at) {
  const byBox = new Map();
  for (const [pointer, word] of Object.entries(model.words)) {
    if (word.since <= at) {
      byBox.set(word.box, [...(byBox.get(word.box) ?? []), pointer]);
    }
  }
  byBox.forEach(pointers => pointers.sort((a, b) => (big(a) < big(b) ? -1 : 1)));
  return byBox;
}

/** The record of the same type to which a record's first such link leads; none of its children. */
function successor(model, state, box, words) {
  for (const pointer of words.filter(word => !model.words[word].child)) {
    const target = linked(model, state, pointer);
    if (target !== undefined && target !== box && model.boxes[target].type === model.boxes[box].type) {
      return target;
    }
  }
  return -1;
}

/** Records to which records of other types point: where lists begin. */
function entries(model, state, byBox) {
  const found = new Set();
  byBox.forEach((words, box) => words.forEach(pointer => {
    const target = linked(model, state, pointer);
    if (target !== undefined && box >= 0 && model.boxes[target].type !== model.boxes[box].type) {
      found.add(target);
    }
  }));
  return found;
}

/**
 * Arranges the records: trees by their levels, those that point to one of their own type in rows, the others alone, and
 * elements of arrays inside the records that contain them.
 */
function arrange(model, state, at) {
  const byBox = wordsByBox(model, at);
  const visible = [...byBox.keys()].filter(box => box >= 0).sort((a, b) => a - b);
  const next = new Map(visible.map(box => [box, successor(model, state, box, byBox.get(box))]));
  const heights = treeHeights(model, state, byBox);
  const linkedTypes = new Set(visible.filter(box => next.get(box) >= 0).map(box => model.boxes[box].type));
  const isListed = box => !heights.has(box) && linkedTypes.has(model.boxes[box].type);
  const outer = box => { // the nearest visible record in which it is drawn
    let parent = isListed(box) || heights.has(box) ? -1 : model.boxes[box].parent;
    while (parent >= 0 && !byBox.has(parent)) {
      parent = model.boxes[parent].parent;
    }
    return parent;
  };
  const nested = new Map();
  visible.filter(box => outer(box) >= 0).forEach(box => nested.set(outer(box), [...(nested.get(outer(box)) ?? []), box]));
  const begins = entries(model, state, byBox);
  const listed = visible.filter(isListed);
  return { byBox, nested, singles: visible.filter(box => outer(box) < 0 && !isListed(box) && !heights.has(box)),
    chains: chains(listed, next, begins), levels: levels(heights, next, begins),
    children: new Map([...heights.keys()].map(box => [box, childrenOf(model, state, byBox.get(box) ?? [])])) };
}

/** Follows the pointers, first from records that begin a list; each record is drawn once. */
function chains(boxes, next, begins) {
  const hasPredecessor = new Set(next.values());
  const rank = box => (hasPredecessor.has(box) ? 2 : 0) + (begins.has(box) ? 0 : 1);
  const drawn = new Set();
  const found = [];
  for (const first of [...boxes].sort((a, b) => rank(a) - rank(b) || a - b)) {
    const row = [];
    let box = first;
    while (box >= 0 && !drawn.has(box)) {
      drawn.add(box);
      row.push(box);
      box = next.get(box) ?? -1;
    }
    if (row.length > 0) {
      found.push({ row, then: box });
    }
  }
  return found;
}

/** The children of a node of a tree, in the order of its words. */
const childrenOf = (model, state, words) => words.filter(pointer => model.words[pointer].child)
  .map(pointer => linked(model, state, pointer)).filter(target => target !== undefined);

/** The nodes of trees, each with the greatest number of links down to a leaf. */
function treeHeights(model, state, byBox) {
  const isInner = box => byBox.get(box).some(pointer => model.words[pointer].child);
  const types = new Set();
  byBox.forEach((words, box) => {
    if (box >= 0 && isInner(box)) {
      [box, ...childrenOf(model, state, words)].forEach(node => types.add(model.boxes[node].type));
    }
  });
  const heights = new Map();
  const heightOf = box => {
    if (!heights.has(box)) {
      heights.set(box, 0); // so that a link to a node above ends
      const below = childrenOf(model, state, byBox.get(box)).filter(child => byBox.has(child)).map(heightOf);
      heights.set(box, isInner(box) ? 1 + Math.max(0, ...below) : 0);
    }
    return heights.get(box);
  };
  [...byBox.keys()].filter(box => box >= 0 && types.has(model.boxes[box].type)).forEach(heightOf);
  return heights;
}

/** The nodes of trees from the top down, each level in lists. */
function levels(heights, next, begins) {
  const found = [];
  for (let height = Math.max(-1, ...heights.values()); height >= 0; height--) {
    const nodes = [...heights.keys()].filter(box => heights.get(box) === height).sort((a, b) => a - b);
    found.push({ height, chains: chains(nodes, next, begins) });
  }
  return found.filter(level => level.chains.length > 0);
}

/** The positions that a ring's words count, each with the cell to which it belongs, in ascending order. */
function ringPositions(model, state, box) {
  const { cells, positions } = model.boxes[box].ring;
  return positions.filter(pointer => state.memory.has(pointer)).map(pointer => {
    const position = big(state.memory.get(pointer));
    return { name: model.words[pointer]?.name ?? '', position, cell: Number(position % BigInt(cells)) };
  }).sort((a, b) => (a.position < b.position ? -1 : a.position > b.position ? 1 : 0));
}

/** The cells between the first position and the last one. */
function ringSpan(positions, cells) {
  const span = new Set();
  if (positions.length < 2) {
    return span;
  }
  for (let p = positions[0].position; p < positions.at(-1).position && span.size < cells; p++) {
    span.add(Number(p % BigInt(cells)));
  }
  return span;
}
