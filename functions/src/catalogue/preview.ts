import { formatMinutes } from '@shop/shared/catalogue/minutes.ts'
import { playerWarning } from '@shop/shared/catalogue/player-format.ts'
import { sellingPriceOf } from '@shop/shared/catalogue/pricing.ts'
import { AppError } from '@shop/shared/errors.ts'
import { formatBahtShort, toDecimalText } from '@shop/shared/money.ts'
import { SHOP_NAME } from '@shop/shared/shop-name.ts'
import type { Hono } from 'hono'
import sharp from 'sharp'
import type { Shop } from '../shop/shop.ts'
import { etagOf } from './catalogue-route.ts'
import { gameOnSale } from './on-sale.ts'

const SHELL_MS = 60_000
const SHELL_TIMEOUT_MS = 3000
const PICTURE = { width: 1200, height: 630, inside: 430, background: '#eef2fd' }
/** The side of a picture in a card of LINE, enough for sharp phones. */
const CARD_PICTURE = 240
/** Sent when the page can't be shown yet; the browser asks again. */
const NO_SHELL =
  '<!doctype html><html lang="th"><head><meta http-equiv="refresh" content="2"></head><body></body></html>'

type Parts = Pick<Shop, 'catalogue' | 'config' | 'now' | 'files'>

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, letter => `&#${letter.charCodeAt(0)};`).replace(/\p{Cc}+/gu, ' ')

interface Preview {
  title: string
  description: string
  url: string
  picture: string
  priceSatang: number
  game: { name: string; picture: string; desc: string; labels: string[] }
}

const NOTHING = { game: null, packages: [] }

/**
 * Returns what a link to a game shows; null when it is not sold. A package in the link is shown with its own name and
 * price.
 */
async function findPreview(
  { catalogue: source, config, now }: Parts,
  code: string,
  packageId: number | null,
): Promise<Preview | null> {
  const catalogue = await source.latest()
  const sold = catalogue.gamesByCode.get(code)
  const { game, packages } =
    (sold && gameOnSale(catalogue, sold, { caller: 'guest', tierId: null, now: now() })) ?? NOTHING
  const cheapest = packages.toSorted((a, b) => sellingPriceOf(a) - sellingPriceOf(b))[0]
  const named = packages.find(({ id }) => id === packageId)
  const shown = named ?? cheapest
  if (!game || !shown) return null
  const price = formatBahtShort(sellingPriceOf(shown))
  const isForPlayers = packages.some(({ delivers }) => delivers !== 'code')
  return {
    title: `${game.name}${named ? ` ${named.name}` : ''} · ${SHOP_NAME}`,
    description: `${named ? `${price} บาท` : `เริ่มต้น ${price} บาท`} ปกติเข้าเกมใน ${formatMinutes(game.usualMinutes)} ติดตามสถานะได้ทุกขั้น`,
    url: new URL(`/game/${encodeURIComponent(code)}${named ? `?package=${named.id}` : ''}`, config.STOREFRONT_URL).href,
    picture: new URL(`/preview/${encodeURIComponent(code)}.png`, config.STOREFRONT_URL).href,
    priceSatang: sellingPriceOf(shown),
    game: { ...game, labels: (isForPlayers ? game.fields : []).map(({ label }) => label) },
  }
}

/** Returns the tags of the Open Graph protocol, which LINE, Facebook and others read without running scripts. */
function tagsOf({ title, description, url, picture, priceSatang }: Preview): string {
  const tags = {
    'og:type': 'product',
    'og:site_name': SHOP_NAME,
    'og:locale': 'th_TH',
    'og:title': title,
    'og:description': description,
    'og:url': url,
    'og:image': picture,
    'og:image:width': String(PICTURE.width),
    'og:image:height': String(PICTURE.height),
    'product:price:amount': toDecimalText(priceSatang),
    'product:price:currency': 'THB',
  }
  const lines = Object.entries(tags).map(([name, value]) => `<meta property="${name}" content="${escaped(value)}" />`)
  return [...lines, '<meta name="twitter:card" content="summary_large_image" />'].join('\n    ')
}

const OWN_TAGS = /\s*<meta property="og:[^>]*>/g
const SHOWN_FIRST = /<!-- shell -->[\s\S]*<!-- \/shell -->/
const GAME_FIRST = /\s*<!--[^>]*-->\s*<template id="game-shell">([\s\S]*?)<\/template>/
const PLAYERS = /<!-- players -->[\s\S]*<!-- \/players -->/

/** Returns what people see of a game while the code that sells it is on its way, from the template of index.html. */
function fillShell(template: string, { name, picture, desc, labels }: Preview['game']): string {
  const texts: Record<string, string> = { name, picture, desc, label: labels[0] ?? '', warning: playerWarning(labels) }
  const shell = labels.length > 0 ? template : template.replace(PLAYERS, '')
  return shell.replace(/\{(\w+)\}/g, (mark, text: string) => (text in texts ? escaped(texts[text]!) : mark))
}

/** Returns the shop's page with the link's title, text and picture in place of the shop's, and with the game's own shell. */
function withPreview(page: string, preview: Preview | null): string {
  if (!preview) return page
  const [, template] = GAME_FIRST.exec(page) ?? []
  const shown = template
    ? page.replace(GAME_FIRST, '').replace(SHOWN_FIRST, () => fillShell(template, preview.game))
    : page
  return shown
    .replace(OWN_TAGS, '')
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(preview.title)}</title>\n    ${tagsOf(preview)}`)
}

/** Reads the storefront's own page as it is served now; returns the last known one when it can't be read. */
function shellReader({ config, now }: Parts): () => Promise<string | null> {
  let known: { text: string; at: number } | null = null
  return async () => {
    const at = now().getTime()
    if (known && at - known.at < SHELL_MS) return known.text
    const signal = AbortSignal.timeout(SHELL_TIMEOUT_MS)
    const text = await fetch(new URL('/index.html', config.STOREFRONT_URL), { signal, redirect: 'error' })
      .then(answer => (answer.ok ? answer.text() : null))
      .catch(() => null)
    if (text) known = { text, at }
    return known?.text ?? null
  }
}

/** Reads a game's picture as a PNG that fits in a square. */
async function readSquare({ catalogue, files }: Parts, code: string, side: number): Promise<Buffer | null> {
  const game = (await catalogue.latest()).gamesByCode.get(code)
  const file = game?.isActive && (await files.readPublic(game.picture.replace(/^\/files\//, '')))
  return file ? sharp(file.body).resize(side, side, { fit: 'inside' }).png().toBuffer() : null
}

/** Draws a game's picture in the form that social networks want: a PNG of a fixed size. */
async function drawPicture(shop: Parts, code: string): Promise<Buffer | null> {
  const { width, height, inside, background } = PICTURE
  const picture = await readSquare(shop, code, inside)
  if (!picture) return null
  return sharp({ create: { width, height, channels: 3, background } })
    .composite([{ input: picture }])
    .png()
    .toBuffer()
}

/** Returns the code of a game for one that it had before; null for any other code. */
async function newCodeOf({ catalogue }: Parts, code: string): Promise<string | null> {
  const game = (await catalogue.latest()).gamesByCode.get(code)
  return game && game.code !== code ? game.code : null
}

/** Serves pages of games, and their pictures, to readers of links that do not run scripts. */
export function registerPreviews(app: Hono, shop: Shop): void {
  const readShell = shellReader(shop)
  app.get('/game/:code', async c => {
    const code = await newCodeOf(shop, c.req.param('code')).catch(() => null)
    // Only for now: the shop may give the code to another game.
    if (code) return c.redirect(`/game/${encodeURIComponent(code)}${new URL(c.req.url).search}`, 302)
    const asked = Number(c.req.query('package'))
    const preview = findPreview(shop, c.req.param('code'), Number.isSafeInteger(asked) ? asked : null)
    // A customer always gets the page, even when the game can't be read just now.
    const [shell, known] = await Promise.all([readShell(), preview.catch(() => null)])
    const html = withPreview(shell ?? NO_SHELL.replace('<head>', '<head><title></title>'), known)
    if (!shell) return c.html(html, 200, { 'cache-control': 'no-store' })
    const headers = { 'cache-control': 'public, max-age=0, s-maxage=4', etag: etagOf(html) }
    return c.req.header('if-none-match')?.includes(headers.etag)
      ? c.body(null, 304, headers)
      : c.html(html, 200, headers)
  })
  const servePicture = (path: string, draw: (code: string) => Promise<Buffer | null>) =>
    app.get(`${path}/:file{[^/]+\\.png}`, async c => {
      const picture = await draw(c.req.param('file').slice(0, -'.png'.length))
      if (!picture) throw new AppError('NOT_FOUND')
      const headers = { 'content-type': 'image/png', 'cache-control': 'public, max-age=86400' }
      return c.body(new Uint8Array(picture), 200, headers)
    })
  servePicture('/preview', code => drawPicture(shop, code))
  servePicture('/preview/square', code => readSquare(shop, code, CARD_PICTURE))
}
