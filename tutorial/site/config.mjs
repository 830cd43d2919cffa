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

// The pages that play schedules.
const players = '.vp-doc iframe { width: 100%; height: 44rem; border: 1px solid var(--vp-c-divider); border-radius: 8px }'

// The same anchors as on GitHub: the pages link to them.
const slugify = heading => heading.trim().toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')

export default {
  title: 'Remus for Java',
  description: 'Concurrent data structures in disaggregated memory, over one-sided RDMA operations.',
  lang: 'en-GB',
  base: process.env.SITE_BASE ?? '/',
  outDir: process.env.SITE_OUT,
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: icon }],
    ['style', {}, wideDiagrams + players],
  ],
  cleanUrls: false,
  lastUpdated: false,
  // The Javadoc is made after the pages.
  ignoreDeadLinks: [/^\/api\//, /^https?:\/\/localhost/],
  markdown: { anchor: { slugify } },
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
