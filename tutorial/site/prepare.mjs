// SPDX-License-Identifier: Apache-2.0
// Copies the pages to the folder where VitePress makes the site: node prepare.mjs ROOT WORK. The pages are written for the
// tree, so links to sources lead to files; each linked source becomes a page too.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join, normalize, relative } from 'node:path'

const [root, work] = process.argv.slice(2)
const pages = join(work, 'pages')
const sources = new Set()
const folders = new Set()

const languages = { '.java': 'java', '.md': 'md', '.py': 'python', '.sh': 'bash', '.xml': 'xml', '': 'bash' }

/** A page in parts: what is at odd places is code. */
function parts(file) {
  return readFileSync(join(root, file), 'utf8').split(/^(```[\s\S]*?^```$)/m)
}

/** The Markdown files that a page links to. */
function linkedPages(file) {
  return parts(file)
    .filter((_, i) => i % 2 === 0)
    .flatMap(part => [...part.matchAll(/\]\(([^)\s#:]+\.md)(#[^)]*)?\)/g)])
    .map(match => normalize(join(dirname(file), match[1])))
    .filter(target => existsSync(join(root, target)))
}

/** The pages of the site: the tutorial, what is about clusters, and all Markdown files of the tree that these lead to. */
const files = [
  'README.md',
  'framework/SIMULATOR.md',
  ...readdirSync(join(root, 'cloudlab')).filter(f => f.endsWith('.md')).map(f => `cloudlab/${f}`),
  ...readdirSync(join(root, 'tutorial')).filter(f => f.endsWith('.md')).map(f => `tutorial/${f}`),
]
for (const file of files) files.push(...new Set(linkedPages(file).filter(target => !files.includes(target))))
files.sort()

/** Where a file of the tree is on the site: a folder's page is its index, and folders that begin with a dot are left out there. */
function place(file) {
  const visible = file.replace(/^\./, '')
  return visible !== 'README.md' && basename(visible) === 'README.md' ? join(dirname(visible), 'index.md') : visible
}

function isPicture(file) {
  return ['.svg', '.png'].includes(extname(file))
}

/** A link as it has to be on the site. */
function rewrite(from, link) {
  if (/^([a-z]+:|#)/.test(link)) return link
  const [path, hash] = link.split('#')
  const target = normalize(join(dirname(from), path))
  const anchor = hash ? `#${hash}` : ''
  const full = join(root, target)
  if (files.includes(target)) return `/${place(target).replace(/index\.md$/, '').replace(/\.md$/, '')}${anchor}`
  if (isPicture(target)) return link
  if (existsSync(full) && statSync(full).isFile()) {
    sources.add(target)
    return `/source/${target}`
  }
  if (existsSync(join(full, 'README.md'))) return `/${place(join(target, 'README.md')).replace(/index\.md$/, '')}`
  if (existsSync(full)) {
    folders.add(target)
    return `/source/#${anchorOf(target)}`
  }
  throw new Error(`${from} links to ${link}, which is not there`)
}

function anchorOf(folder) {
  return folder.replace(/[^a-z0-9]+/gi, '-').toLowerCase()
}

const byNumbers = (a, b) => a.localeCompare(b, 'en', { numeric: true })

/** A path that may go on in the next line after a slash. */
const breakable = path => path.replaceAll('/', '/<wbr>')

/** What a folder holds, without what was built. */
function listing(folder) {
  const names = readdirSync(join(root, folder)).filter(f => f !== 'target' && !f.startsWith('.')).sort(byNumbers)
  return `## ${breakable(folder)} {#${anchorOf(folder)}}\n\n${names.map(f => `- \`${f}\``).join('\n')}\n`
}

/**
 * The pages that a block of commands writes to the reader's folder, and that play schedules: they are shown below it, at
 * the moment that the text names, such as local/passing.html#714, else at the violation.
 */
function players(block, text) {
  return [...new Set([...block.matchAll(/ local\/([a-z-]+)\.html\b/g)].map(match => match[1]))]
    .map(name => {
      const moment = text.match(new RegExp(`\\blocal/${name}\\.html#(\\d+)`))?.[1] ?? 'violation'
      const address = `../play/${name}.html#${moment}`
      return `\n\n<iframe src="${address}" title="Plays the schedule: ${name}" loading="lazy"></iframe>\n\n` +
        `This is \`local/${name}.html\`, which you can <a href="${address}" target="_blank">open in a window of its own</a>.`
    })
    .join('')
}

/** A block of commands in the language for which the site copies commands without prompts. */
function commands(block) {
  return block.replace(/^```console/, '```shell')
}

/** Text with its links as they have to be on the site, and in the tutorial with links where it only says "page 7". */
function linked(file, text) {
  const isTutorial = file.startsWith('tutorial/')
  return text
    .split(/(\[[^\]]*\]\([^)]*\))/)
    .map((part, i) => (i % 2 === 0 && isTutorial ? part.replace(/\b[Pp]age (\d+)\b/g, linkToPage) : part))
    .join('')
    .replace(/\]\(([^)\s]+)\)/g, (_, link) => `](${rewrite(file, link)})`)
}

/** A link to a page of the tutorial, or the words alone if there is no such page. */
function linkToPage(words, number) {
  const target = files.find(f => f.startsWith(`tutorial/${number}-`))
  return target ? `[${words}](${basename(target)})` : words
}

/** A page for the site, with the players that its commands write, and without the line "Next": the site has its own. */
function page(file) {
  return parts(file)
    .map((part, i, all) => (i % 2 ? commands(part) + players(part, all.join('')) : linked(file, part)))
    .join('')
    .replace(/^Next: \[.*\n+$/m, '')
}

function write(file, text) {
  mkdirSync(dirname(join(pages, file)), { recursive: true })
  writeFileSync(join(pages, file), text)
}

function title(file) {
  return readFileSync(join(root, file), 'utf8').match(/^# (.*)$/m)[1]
}

/** The blocks of code of a file that follow a heading, or stand before the first. */
function blocks(file, heading) {
  const all = readFileSync(join(root, file), 'utf8').split(/^## /m)
  const section = heading ? all.find(part => part.startsWith(heading)) : all[0]
  const found = section?.match(/^```[\s\S]*?^```$/gm)
  if (!found) throw new Error(`${file} has no block of code below '${heading}'`)
  return found
}

/** The rows of BENCH's table of targets that are reached, without target and verdict. */
function figures() {
  const section = readFileSync(join(root, 'examples/BENCH.md'), 'utf8').split(/^## /m).find(p => p.startsWith('Targets of speed'))
  const rows = section.match(/^\|.*\|$/gm).map(row => row.slice(1, -1).split('|').map(cell => cell.trim()))
  const reached = rows.filter(row => row[5] === 'reached')
  if (reached.length === 0) throw new Error('BENCH.md has no row that is reached')
  const line = cells => `| ${cells.join(' | ')} |`
  const better = { times: 'times: less is better', 'op/s': 'op/s: more is better' }
  const columns = row => [row[0], row[3], better[row[2]] ?? row[2], row[1], row[6].replace(/\(#/g, '(/examples/BENCH#')]
  const headings = ['work', 'ratio', 'ratio of', 'compared with', 'command']
  return [line(headings), line(headings.map(() => '---')), ...reached.map(row => line(columns(row)))].join('\n')
}

/** The front page, with what README and BENCH have for it. */
function frontPage() {
  const parts = { picture: blocks('README.md')[0], lines: blocks('README.md', 'Twelve lines')[0], figures: figures() }
  return readFileSync(join(root, 'tutorial/site/index.md'), 'utf8').replace(/^<!-- (\w+) -->$/gm, (_, name) => parts[name])
}

rmSync(pages, { recursive: true, force: true })
write('index.md', frontPage())
for (const file of files) write(place(file), page(file))
for (const folder of ['tutorial/diagrams', 'framework/pictures']) {
  cpSync(join(root, folder), join(pages, folder), {
    recursive: true,
    filter: f => statSync(f).isDirectory() || isPicture(f),
  })
}

// Pages of sources, shown verbatim: links in them would lead nowhere.
for (const source of sources) {
  const text = readFileSync(join(root, source), 'utf8')
  const language = languages[extname(source)] ?? ''
  write(
    `source/${source}.md`,
    `---\neditLink: false\noutline: false\nsearch: false\n---\n# ${basename(source)}\n\n\`${source}\`\n\n` +
      `\`\`\`\`${language}\n${text}\`\`\`\`\n`,
  )
}
write(
  'source/index.md',
  '---\nsearch: false\n---\n# Sources\n\nThe sources that these pages link to. All of them are in the repository.\n\n' +
    [...sources].sort(byNumbers).map(s => `- [${breakable(s)}](/source/${s})`).join('\n') + '\n\n' +
    [...folders].sort(byNumbers).map(listing).join('\n'),
)

const tutorial = files.filter(f => /^tutorial\/\d/.test(f)).sort(byNumbers)
const links = list => list.map(f => ({ text: title(f), link: `/${place(f).replace(/index\.md$/, '').replace(/\.md$/, '')}` }))
// The pages for a structure of one's own, in the order in which they are needed.
const own = [
  'framework/README.md',
  'framework/SET-UPS.md',
  'framework/SIMULATOR.md',
  'framework/TRUST.md',
  'framework/SETTINGS.md',
  'structures/README.md',
]
const clusters = ['README', 'ssh-list', 'slurm', 'soft-roce', 'roce'].map(name => `cloudlab/${name}.md`)
const project = ['CONTRIBUTING', 'SECURITY', 'CHANGELOG'].map(name => `.github/${name}.md`)
const named = ['README.md', ...own, ...clusters, ...project]
const rest = files.filter(f => !f.startsWith('tutorial/') && !named.includes(f)).sort((a, b) => title(a).localeCompare(title(b)))
const missing = named.filter(f => !files.includes(f))
if (missing.length > 0) throw new Error(`the sidebar names pages that the site lacks: ${missing.join(', ')}`)
const sidebar = [
  { text: 'Tutorial', link: '/tutorial/', items: links(tutorial) },
  { text: 'Write your own structure', link: '/tutorial/10-your-own-structure', items: links(own) },
  { text: 'Clusters', link: '/cloudlab/', items: links(clusters) },
  { text: 'Examples, checks and notes', items: links(rest) },
  { text: 'The project', items: [{ text: 'About Remus', link: '/README' }, ...links(project)] },
]
mkdirSync(join(pages, '.vitepress'), { recursive: true })
writeFileSync(join(pages, '.vitepress/sidebar.json'), JSON.stringify(sidebar))
mkdirSync(join(pages, '.vitepress/theme'))
for (const [file, place] of [['config.mjs', 'config.mjs'], ['theme.mjs', 'theme/index.mjs'], ['site.css', 'theme/site.css']])
  cpSync(join(root, 'tutorial/site', file), join(pages, '.vitepress', place))
