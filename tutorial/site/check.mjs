// Checks the site in a real browser: node check.mjs SITE CHROMIUM [FOLDER FOR SCREENSHOTS].
// Reports broken links, errors that the browser reports, and pages that are wider than a phone.
import { createServer } from 'node:http'
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { createRequire } from 'node:module'

const [site, executablePath, screenshots] = process.argv.slice(2)
const { chromium } = createRequire(join(process.cwd(), 'package.json'))('playwright-core')

const types = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml',
  '.json': 'application/json', '.png': 'image/png', '.woff2': 'font/woff2', '.woff': 'font/woff',
}
const phone = { width: 360, height: 740 }
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
const context = await browser.newContext({ viewport: phone })
const page = await context.newPage()
page.setDefaultTimeout(60_000)
page.on('console', message => message.type() === 'error' && complain(`${page.url()}: console: ${message.text()}`))
page.on('pageerror', error => complain(`${page.url()}: ${error.message}`))
page.on('response', response => response.status() >= 400 && complain(`${page.url()}: ${response.status()} for ${response.url()}`))

async function picture(name) {
  if (!screenshots) return
  mkdirSync(screenshots, { recursive: true })
  await page.screenshot({ path: join(screenshots, `${name}.png`) })
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
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    broken: [...document.images].filter(i => i.complete && i.naturalWidth === 0).map(i => i.src),
  }))
  seen.set(path, new Set(found.anchors))
  const own = !path.startsWith('/api/')
  if (own && found.wide > 1) complain(`${path}: ${found.wide} pixels wider than a phone`)
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

// The front page in three widths, light and dark.
for (const width of [390, 768, 1440]) {
  for (const colorScheme of ['light', 'dark']) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await page.goto(`${base}/`, { waitUntil: 'load' })
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    if (wide > 1) complain(`/: ${wide} pixels wider than a window of ${width}`)
    await picture(`home-${width}-${colorScheme}`)
  }
}
await page.emulateMedia({ colorScheme: 'light' })

// The button copies what a reader types: commands without the prompt, and nothing of what they print.
await context.grantPermissions(['clipboard-read', 'clipboard-write'])
await page.goto(`${base}/tutorial/2-building-and-running.html`)
for (const block of await page.locator('.language-shell').all()) {
  if (!(await block.isVisible())) continue // in a solution that is not open
  await block.hover()
  await block.locator('button.copy').click()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  const typed = copied.split('\n').filter(line => line.trim())
  if (typed.length === 0 || typed.some((line, i) => !/^(\.\/|cd |git |export |[a-z]+ )/.test(line) && !typed[i - 1]?.endsWith('\\')))
    complain(`page 2: the button copies ${JSON.stringify(copied)}`)
}

// On a phone, then on a desktop: light, dark, and search.
await page.goto(`${base}/tutorial/3-connecting-nodes.html`)
await picture('phone-page')
await page.evaluate(() => document.querySelector('img').scrollIntoView())
await picture('phone-diagram')
await page.setViewportSize({ width: 1280, height: 900 })
await page.goto(`${base}/`)
await picture('desk-home')
await page.goto(`${base}/tutorial/5-a-data-structure.html`)
await picture('desk-light')
await page.locator('.VPNavBarAppearance button').click()
if (!(await page.evaluate(() => document.documentElement.classList.contains('dark')))) complain('there is no dark mode')
await page.goto(`${base}/tutorial/8-a-queue.html`)
await page.locator('iframe[src*="announced"]').scrollIntoViewIfNeeded() // it is loaded when it is near
const moment = await page.frameLocator('iframe[src*="announced"]').locator('#where').innerText()
if (!moment.includes('the violation')) complain('page 8 does not play its schedule')
await picture('desk-player')
await page.evaluate(() => document.querySelector('main img').scrollIntoView())
await picture('desk-dark')
await page.locator('.VPNavBarSearch button').first().click()
await page.locator('.VPLocalSearchBox input').fill('sentinel')
await page.locator('.VPLocalSearchBox .result').first().waitFor()
await picture('desk-search')
const first = await page.locator('.VPLocalSearchBox .result').first().innerText()
if (!first) complain('searching finds nothing')

await browser.close()
server.close()
console.error(`site: ${seen.size} pages, ${links.length} links, ${complaints.length} complaints`)
process.exit(complaints.length > 0 ? 1 : 0)
