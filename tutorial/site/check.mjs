// SPDX-License-Identifier: Apache-2.0
// Checks the site in a real browser: node check.mjs SITE CHROMIUM [FOLDER FOR SCREENSHOTS].
// Reports broken links, errors that the browser reports, pages that are wider than the window, and what axe-core finds
// against WCAG 2.2 AA. Of each page it makes pictures in three widths, light and dark.
import { createServer } from 'node:http'
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { createRequire } from 'node:module'

const [site, executablePath, screenshots] = process.argv.slice(2)
const require = createRequire(join(process.cwd(), 'package.json'))
const { chromium } = require('playwright-core')
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

const types = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml',
  '.json': 'application/json', '.png': 'image/png', '.woff2': 'font/woff2', '.woff': 'font/woff',
}
const phone = { width: 360, height: 740 }
const widths = [390, 768, 1440]
const tallest = 12_000 // pixels of a picture
const limit = 300

/** What is served at a path, or undefined. */
function fileAt(path) {
  const file = join(site, decodeURIComponent(path))
  const candidates = [file, join(file, 'index.html'), `${file}.html`]
  return candidates.find(f => f.startsWith(site) && existsSync(f) && statSync(f).isFile())
}

const server = createServer((request, response) => {
  const path = new URL(request.url, 'http://localhost').pathname
  const file = fileAt(path)
  response.writeHead(file ? 200 : 404, { 'content-type': types[extname(file ?? '')] ?? 'application/octet-stream' })
  response.end(file ? readFileSync(file) : 'not there')
})
await new Promise(done => server.listen(0, '127.0.0.1', done))
const base = `http://127.0.0.1:${server.address().port}`

const complaints = []
const complain = text => {
  complaints.push(text)
  console.error(`site: ${text}`)
}

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
const context = await browser.newContext({ viewport: phone, reducedMotion: 'reduce' }) // schedules wait for keys
const page = await context.newPage()
page.setDefaultTimeout(60_000)
page.on('console', message => message.type() === 'error' && complain(`${page.url()}: console: ${message.text()}`))
page.on('pageerror', error => complain(`${page.url()}: ${error.message}`))
page.on('response', response => response.status() >= 400 && complain(`${page.url()}: ${response.status()} for ${response.url()}`))

async function picture(name, clip) {
  if (!screenshots) return
  mkdirSync(screenshots, { recursive: true })
  await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: clip !== undefined, clip })
}

/** How many pixels a page is wider than the window, and how tall it is. */
async function size() {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth, scrollHeight } = document.documentElement
    return { wide: scrollWidth - clientWidth, tall: scrollHeight }
  })
}

/** Loads the frames with schedules, which a reader sees when they come near, for pictures of whole pages. */
async function loadFrames() {
  await page.evaluate(() => document.querySelectorAll('iframe').forEach(frame => (frame.loading = 'eager')))
  await page.waitForFunction(() =>
    [...document.querySelectorAll('iframe')].every(frame => frame.contentDocument?.querySelector('#where')?.textContent))
}

/** How many tables are wider than their room: their last columns are cut off until a reader scrolls. */
async function cutTables() {
  return page.evaluate(() =>
    [...document.querySelectorAll('.vp-doc table')].filter(t => t.scrollWidth > t.clientWidth + 1).length)
}

/** Reports what the page that is shown has against WCAG 2.2 AA. */
async function checkAccessibility(name) {
  await page.evaluate(axe)
  const { violations } = await page.evaluate(() =>
    window.axe.run(document, {
      resultTypes: ['violations'],
      iframes: false, // they show pages that are checked by themselves
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    }),
  )
  for (const { id, help, nodes } of violations) {
    // The button for searching shows its keys beside its name, which axe takes for a part of the name.
    const places = nodes.map(n => n.target.join(' ')).filter(t => !(id === 'label-content-name-mismatch' && t === '.DocSearch'))
    if (places.length > 0) complain(`${name}: ${id}: ${help}, at ${places.length} places: ${places.slice(0, 3).join(', ')}`)
  }
}

function withoutEmptyLines(text) {
  return text.split('\n').map(line => line.trimEnd()).filter(line => line).join('\n')
}

/** What a reader types of a block: the lines with a prompt and those that continue them; all lines if none has one. */
function typed(block) {
  const lines = block.split('\n')
  const isCommand = i => lines[i].startsWith('$ ') || (i > 0 && lines[i - 1].endsWith('\\') && isCommand(i - 1))
  const commands = lines.some(line => line.startsWith('$ ')) ? lines.filter((_, i) => isCommand(i)) : lines
  return withoutEmptyLines(commands.map(line => line.replace(/^\$ /, '')).join('\n'))
}

// Every page that can be reached from the first. Of the Javadoc only the first: another tool makes it.
const waiting = ['/']
const seen = new Map() // of each path, the names in it that a link can lead to
const links = []
while (waiting.length > 0 && seen.size < limit) {
  const path = waiting.shift()
  if (seen.has(path)) continue
  await page.goto(base + path, { waitUntil: 'load' })
  const found = await page.evaluate(() => ({
    anchors: [...document.querySelectorAll('[id],a[name]')].map(e => e.id || e.getAttribute('name')),
    links: [...document.querySelectorAll('a[href]')].map(a => a.href),
    broken: [...document.images].filter(i => i.complete && i.naturalWidth === 0).map(i => i.src),
  }))
  seen.set(path, new Set(found.anchors))
  const own = !path.startsWith('/api/')
  const leadsHome = link => /^\/(index\.html)?$/.test(new URL(link).pathname)
  if (!own && !found.links.some(leadsHome)) complain(`${path}: no way back to the site`)
  const { wide } = await size()
  if (own && wide > 1) complain(`${path}: ${wide} pixels wider than a phone`)
  for (const src of found.broken) complain(`${path}: there is no picture ${src}`)
  if (!own) continue
  for (const link of found.links) {
    if (!link.startsWith(base)) continue
    const url = new URL(link)
    links.push({ from: path, path: url.pathname, hash: decodeURIComponent(url.hash.slice(1)) })
    if (fileAt(url.pathname)) waiting.push(url.pathname)
  }
}
if (seen.size >= limit) complain(`more than ${limit} pages`)
for (const { from, path, hash } of links) {
  if (!fileAt(path)) complain(`${from}: links to ${path}, which is not there`)
  else if (path.startsWith('/play/')) continue // there a hash names a moment
  else if (hash && seen.has(path) && !seen.get(path).has(hash)) complain(`${from}: links to ${path}#${hash}, which is not there`)
}

// Each page in three widths, light and dark. The pages of sources differ only in their text: these need no pictures.
for (const path of [...seen.keys()].filter(p => !p.startsWith('/api/'))) {
  const isSource = path.startsWith('/source/') && path !== '/source/'
  const name = path.replace(/\.html$|\/$/, '').slice(1).replaceAll('/', '-') || 'home'
  for (const width of isSource ? widths.slice(-1) : widths) {
    for (const colorScheme of ['light', 'dark']) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await page.goto(base + path, { waitUntil: 'load' })
      await loadFrames()
      const { wide, tall } = await size()
      if (wide > 1) complain(`${path}: ${wide} pixels wider than a window of ${width}`)
      const cut = width > widths[0] ? await cutTables() : 0 // phones lack the room
      if (cut > 0) complain(`${path}: ${cut} tables are cut off in a window of ${width}`)
      if (!isSource) await picture(`${name}-${width}-${colorScheme}`, { x: 0, y: 0, width, height: Math.min(tall, tallest) })
      if (width === widths.at(-1)) await checkAccessibility(`${path}, ${colorScheme}`)
    }
  }
}
await page.emulateMedia({ colorScheme: 'light' })

// The buttons copy what a reader types: commands without the prompt, and nothing of what they print.
await context.grantPermissions(['clipboard-read', 'clipboard-write'])
await page.setViewportSize({ width: widths.at(-1), height: 900 })
let copies = 0
for (const path of seen.keys()) {
  const source = join('pages', path.endsWith('/') ? `${path}index.md` : path.replace(/\.html$/, '.md'))
  if (/^\/(api|play|source)\//.test(path) || !existsSync(source)) continue
  const expected = [...readFileSync(source, 'utf8').matchAll(/^```shell\n([\s\S]*?)^```$/gm)].map(match => typed(match[1]))
  if (expected.length === 0) continue
  await page.goto(base + path)
  await page.evaluate(() => document.querySelectorAll('details').forEach(details => (details.open = true)))
  const blocks = await page.locator('.language-shell').all()
  if (blocks.length !== expected.length) complain(`${path}: shows ${blocks.length} of ${expected.length} blocks of commands`)
  for (const [i, block] of blocks.entries()) {
    await block.hover()
    await block.locator('button.copy').click()
    const copied = withoutEmptyLines(await page.evaluate(() => navigator.clipboard.readText()))
    if (copied !== expected[i]) complain(`${path}: a button copies ${JSON.stringify(copied)}, not ${JSON.stringify(expected[i])}`)
    copies++
  }
}
if (copies === 0) complain('no page has commands to copy')

// The schedule of the front page moves, unless the desktop asks for less motion.
for (const reducedMotion of ['no-preference', 'reduce']) {
  await page.emulateMedia({ reducedMotion })
  await page.goto(base)
  const player = page.frameLocator('iframe')
  await page.locator('iframe').scrollIntoViewIfNeeded() // it is loaded when it is near
  await player.locator('#where').filter({ hasText: 'moment' }).waitFor()
  const label = await player.locator('#run').innerText()
  if ((label === 'Stop') !== (reducedMotion === 'no-preference')) complain(`the front page with ${reducedMotion}: ${label}`)
}

// On a desktop: the switch to dark, a schedule that plays, and search.
await page.setViewportSize({ width: 1280, height: 900 })
await page.goto(`${base}/tutorial/5-a-data-structure.html`)
await page.locator('.VPNavBarAppearance button').click()
if (!(await page.evaluate(() => document.documentElement.classList.contains('dark')))) complain('there is no dark mode')
await page.goto(`${base}/tutorial/8-a-queue.html`)
await page.locator('iframe[src*="announced"]').scrollIntoViewIfNeeded() // it is loaded when it is near
const moment = await page.frameLocator('iframe[src*="announced"]').locator('#where').innerText()
if (!moment.includes('the violation')) complain('page 8 does not play its schedule')
const frame = page.frameLocator('iframe[src*="announced"]').locator('body')
const paper = () => frame.evaluate(body => getComputedStyle(body).backgroundColor)
const dark = await paper()
await page.locator('.VPNavBarAppearance button').click()
if ((await paper()) === dark) complain('page 8: its schedule does not follow the switch to dark')
await page.locator('.VPNavBarAppearance button').click()
if ((await paper()) !== dark) complain('page 8: its schedule does not follow the switch back')
await picture('player')
await page.locator('.VPNavBarSearch button').first().click()
await page.locator('.VPLocalSearchBox input').fill('sentinel')
await page.locator('.VPLocalSearchBox .result').first().waitFor()
await picture('search')
const first = await page.locator('.VPLocalSearchBox .result').first().innerText()
if (!first) complain('searching finds nothing')

// The pages that play schedules: keys, buttons, what threads believe, and dark.
const schedules = [...seen.keys()].filter(p => p.startsWith('/play/'))
if (schedules.length === 0) complain('no page plays a schedule')
let badges = 0
for (const path of schedules) {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(base + path)
  for (let tenth = 0; tenth < 10; tenth++) { // an error at any of these moments is reported
    await page.evaluate(tenth => new Promise(done => {
      const before = location.hash
      addEventListener('hashchange', done, { once: true })
      location.hash = Math.floor((tenth * document.querySelector('#position').max) / 10)
      if (location.hash === before) done()
    }), tenth)
  }
  const where = () => page.locator('#where').innerText()
  const expect = async (deed, pattern) => {
    const shown = await where()
    if (!pattern.test(shown)) complain(`${path}: ${deed} leads to "${shown}"`)
  }
  await page.keyboard.press('Home')
  await expect('Home', /^moment 0 of /)
  await page.keyboard.press('ArrowRight')
  await expect('the right arrow', /^moment (?!0 )/)
  await page.keyboard.press('ArrowLeft')
  await expect('the left arrow', /^moment 0 of /)
  await page.locator('#last').click()
  await expect('the last button', /^moment (\d+) of \1\b/)
  await page.locator('#first').click()
  await page.keyboard.press(' ')
  await page.waitForFunction(() => !document.querySelector('#where').innerText.startsWith('moment 0 of '))
  await page.keyboard.press(' ')
  if ((await page.locator('#run').innerText()) !== 'Run') complain(`${path}: the space key does not stop a run`)
  if (await page.locator('#violate').isVisible()) {
    await page.keyboard.press('v')
    await expect('V', /: the violation/)
    badges += await page.locator('#memory .stale').count()
    const events = await page.locator('#events li').allInnerTexts()
    const isRepeated = events.some(text => events.includes(`failure: ${text.split(' with ')[1]}`))
    if (isRepeated) complain(`${path}: shows the failure twice`)
  }
  await page.keyboard.press('End')
  await page.locator('.box button[aria-pressed="false"]').first().click()
  if (!(await page.locator('#changes h3').innerText()).startsWith('Changes of ')) complain(`${path}: no changes of a word`)
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await background()
  await page.emulateMedia({ colorScheme: 'dark' })
  if ((await background()) === light) complain(`${path}: is not dark on a dark desktop`)
}
if (badges === 0) complain('no schedule shows what a thread believes beside what is')

await browser.close()
server.close()
console.error(`site: ${seen.size} pages, ${links.length} links, ${complaints.length} complaints`)
if (screenshots) console.error(`site: pictures are in ${screenshots}`)
process.exit(complaints.length > 0 ? 1 : 0)
