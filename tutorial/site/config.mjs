// SPDX-License-Identifier: Apache-2.0
// The settings of VitePress. prepare.mjs copies this file to the folder of the pages, and writes sidebar.json beside it.
import { readFileSync } from 'node:fs'

const sidebar = JSON.parse(readFileSync(new URL('./sidebar.json', import.meta.url)))

// The icon: a block of memory with three lines.
const icon =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#1d4ed8"/>' +
      '<path d="M3 5h10M3 8h10M3 11h10" stroke="#fff" stroke-width="1.5"/></svg>',
  )

// On a phone a diagram keeps its size and scrolls, so that its text can be read.
const wideDiagrams = '@media (max-width: 640px) { .vp-doc p:has(> img) { overflow-x: auto } .vp-doc p > img { max-width: none } }'

// Diagrams and plots are drawn on white. On a dark page they are inverted, and keep their hues.
const darkPictures = '.dark .vp-doc p > img { filter: invert(1) hue-rotate(180deg) }'

// Long commands wrap, and so does what they print. Output is no shell script: it has one colour.
const commands =
  '.vp-doc .language-shell code { white-space: pre-wrap; overflow-wrap: anywhere }' +
  ' .vp-doc .language-shell .vp-copy-ignore span { color: var(--vp-c-text-2) }'

// Enough contrast for WCAG AA, which check.mjs tests: the main button, and the names of languages above code.
const contrast =
  ':root { --vp-code-lang-color: var(--vp-c-text-2) }' +
  ' :root:not(.dark) { --vp-button-brand-bg: #3451b2; --vp-button-brand-hover-bg: #3a5ccc }'

// A name or an option in a sentence stays on one line; browsers would break it after a hyphen. Tables lack the room.
const wholeNames = '.vp-doc code.whole { white-space: nowrap } .vp-doc td code.whole { white-space: normal }'

// Tables with many columns have room beside the outline, and the options and names in their first column stay whole.
const narrowCells =
  '.vp-doc :is(th, td) { padding: 8px 10px } @media (min-width: 641px) {' +
  ' .vp-doc table:has(th:nth-child(6)) :is(th, td) { padding: 8px 6px; font-size: 13px }' +
  ' .vp-doc td:first-child code.whole { white-space: nowrap } }'

/** Marks names and options, but no commands, which may be longer than a phone is wide. */
function markNames(md) {
  const inline = md.renderer.rules.code_inline
  md.renderer.rules.code_inline = (tokens, i, ...more) => {
    if (/^\S{1,30}$/.test(tokens[i].content)) tokens[i].attrJoin('class', 'whole')
    return inline(tokens, i, ...more)
  }
}

// Between a phone and a desktop the bar has room for all its links without the names of the keys for searching.
const narrowBar =
  '@media (min-width: 768px) and (max-width: 959px) { .DocSearch-Button-Keys { display: none !important }' +
  ' .VPNavBarMenuLink { padding: 0 5px !important } }'

// The pages that play schedules.
const players = '.vp-doc iframe { width: 100%; height: 44rem; border: 1px solid var(--vp-c-divider); border-radius: 8px }'

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

/** Marks the lines of a block of commands that are no commands, so that the button copies what a reader types. */
const onlyCommands = {
  line(node, number) {
    const lines = this.source.split('\n')
    const isCommand = i => lines[i].startsWith('$ ') || (i > 0 && lines[i - 1].endsWith('\\') && isCommand(i - 1))
    if (lines.some((_, i) => isCommand(i)) && !isCommand(number - 1)) this.addClassToHast(node, 'vp-copy-ignore')
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
    ['style', {}, wideDiagrams + darkPictures + commands + contrast + wholeNames + narrowCells + narrowBar + players],
    ['script', {}, schemeOfFrames],
  ],
  cleanUrls: false,
  lastUpdated: false,
  // The Javadoc is made after the pages.
  ignoreDeadLinks: [/^\/api\//, /^https?:\/\/localhost/],
  markdown: {
    anchor: { slugify },
    config: markNames,
    codeTransformers: [onlyCommands],
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Tutorial', link: '/tutorial/' },
      { text: 'Your own structure', link: '/tutorial/10-your-own-structure' },
      { text: 'Simulator', link: '/framework/SIMULATOR' },
      { text: 'Clusters', link: '/cloudlab/' },
      { text: 'Javadoc', link: '/api/index.html', target: '_self' },
    ],
    sidebar,
    docFooter: { prev: 'Previous', next: 'Next' },
  },
}
