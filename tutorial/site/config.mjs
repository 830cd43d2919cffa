// SPDX-License-Identifier: Apache-2.0
// The settings of VitePress. prepare.mjs copies this file to the folder of the pages, and writes sidebar.json beside it;
// site.css has the styles.
import { readFileSync } from 'node:fs'

const sidebar = JSON.parse(readFileSync(new URL('./sidebar.json', import.meta.url)))

// The icon: a block of memory with three lines.
const icon =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#1d4ed8"/>' +
      '<path d="M3 5h10M3 8h10M3 11h10" stroke="#fff" stroke-width="1.5"/></svg>',
  )

/** A name or an option, also with its value, stays on one line; so does each word of a command that has a hyphen. */
function keepWords(md) {
  const inline = md.renderer.rules.code_inline
  md.renderer.rules.code_inline = (tokens, i, ...more) => {
    const { content } = tokens[i]
    const isShort = content.length <= 30
    if (isShort && /^(\S+|--?\S+ \S+|\S{1,10} \S{1,10})$/.test(content)) tokens[i].attrJoin('class', 'whole')
    const html = inline(tokens, i, ...more)
    return content.includes(' ') ? html.replace(/(?<=[>\s])([^\s<>]*-[^\s<>]*)(?=[<\s])/g, keep) : html
  }
}

/** A long word stays whole up to its first hyphen. */
const keep = long => long.replace(long.length <= 30 ? /^.*$/ : /^-*\w+/, part => `<span class="word">${part}</span>`)

// Schedules in frames follow the site's switch to dark. In a window of their own they follow the desktop.
const schemeOfFrames = `(() => {
  const page = document.documentElement
  const apply = frame => {
    const inside = frame.contentDocument?.documentElement
    if (inside) inside.dataset.scheme = page.classList.contains('dark') ? 'dark' : 'light'
  }
  new MutationObserver(() => document.querySelectorAll('iframe').forEach(apply)).observe(page, { attributeFilter: ['class'] })
  document.addEventListener('load', event => event.target.tagName === 'IFRAME' && apply(event.target), true)
})()`

// The same anchors as on GitHub: the pages link to them.
const slugify = heading => heading.trim().toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')

/** A word of a command: text in quotes is part of it, and so is the value of an option, as in "--threads 2" and "-f 'a b'". */
const word = /(?:--?[a-z][a-z-]{0,18}\s+(?=[\w.]{1,16}(?:\s|$)|\S*'))?(?:'[^']*(?:'|$)|[^\s'])+/g

/** The coloured pieces of a command, with each word in an element that moves to the next line as a whole. */
function words(pieces) {
  const text = pieces.map(piece => piece.children[0].value).join('')
  const found = []
  let end = 0
  for (const { 0: value, index } of text.matchAll(word)) {
    found.push(...cut(pieces, end, index))
    end = index + value.length
    found.push({ type: 'element', tagName: 'span', properties: { class: 'word' }, children: cut(pieces, index, end) })
  }
  return [...found, ...cut(pieces, end, text.length)]
}

/** The pieces from one position in their text to another. */
function cut(pieces, from, to) {
  let at = 0
  return pieces.flatMap(piece => {
    const { value } = piece.children[0]
    const part = value.slice(Math.max(0, from - at), Math.max(0, to - at))
    at += value.length
    return part ? [{ ...piece, children: [{ type: 'text', value: part }] }] : []
  })
}

const boxes = /[\u2500-\u257f]/
const columns = /\S {2,}\S/

/**
 * Marks the lines of a block that are commands, so that the button copies what a reader types and no more, and their words;
 * and the lines that must not wrap, with drawings or columns.
 */
const consoleLines = {
  pre(node) {
    const { lang } = this.options
    if (boxes.test(this.source)) this.addClassToHast(node, 'drawn')
    if (!['shell', 'text', 'txt'].includes(lang)) return
    this.addClassToHast(node, 'console')
    const lines = this.source.split('\n')
    const hasOutput = lines.some(line => line.startsWith('$ '))
    const isCommand = i => (hasOutput ? lines[i].startsWith('$ ') : !lines[i].startsWith('#')) ||
      (i > 0 && lines[i - 1].endsWith('\\') && isCommand(i - 1))
    node.children[0].children.filter(child => child.type === 'element').forEach((line, i) => {
      if (boxes.test(lines[i])) this.addClassToHast(line, 'drawing')
      if (lang === 'shell' && isCommand(i)) {
        this.addClassToHast(line, 'command')
        line.children = words(line.children)
      } else {
        if (columns.test(lines[i])) this.addClassToHast(line, 'columns')
        if (hasOutput) this.addClassToHast(line, 'vp-copy-ignore')
      }
    })
  },
}

export default {
  title: 'Remus for Java',
  description: 'Concurrent data structures in disaggregated memory, over one-sided RDMA operations.',
  lang: 'en-GB',
  base: process.env.SITE_BASE ?? '/',
  outDir: process.env.SITE_OUT,
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: icon }],
    ['script', {}, schemeOfFrames],
  ],
  cleanUrls: false,
  vite: { build: { assetsInlineLimit: 0 } }, // site.css knows diagrams by their names
  lastUpdated: false,
  // The Javadoc is made after the pages.
  ignoreDeadLinks: [/^\/api\//, /^https?:\/\/localhost/],
  markdown: {
    anchor: { slugify },
    config: keepWords,
    codeTransformers: [consoleLines],
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    search: { provider: 'local', options: { detailedView: true } },
    outline: [2, 3],
    nav: [
      { text: 'Tutorial', link: '/tutorial/', activeMatch: '^/tutorial/(?!10-)' },
      { text: 'Your own structure', link: '/tutorial/10-your-own-structure' },
      { text: 'Simulator', link: '/framework/SIMULATOR' },
      { text: 'Clusters', link: '/cloudlab/', activeMatch: '^/cloudlab/' },
      { text: 'Javadoc', link: '/api/index.html', target: '_self' },
    ],
    sidebar,
    docFooter: { prev: 'Previous', next: 'Next' },
  },
}
