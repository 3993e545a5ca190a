// Banners of the demo shop. They are drawn from what it sells, so that what they promise is true.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { demoGames } from './demo-catalogue.ts'
import { write } from './drawn-text.ts'
import { projectRoot } from './os-process.ts'

/** A package that is cheaper by the piece than another one of its game. */
interface Offer {
  code: string
  package: string
  than: string
}

const OFFERS: readonly Offer[] = [
  { code: 'pubg', package: '325 UC', than: '60 UC' },
  { code: 'codm', package: '2,400 CP', than: '80 CP' },
  { code: 'genshin', package: '980 Genesis Crystals', than: '60 Genesis Crystals' },
]

/** How many pieces a package holds, by its name. */
const piecesOf = (name: string) => Number(name.split(' ')[0]!.replace(',', ''))

/** The banners in their order: what they say, and of which game. */
export const demoBanners = OFFERS.map(({ code, package: name, than }) => {
  const game = demoGames.find(each => each.code === code)!
  const priceOf = (sold: string) => game.packages.find(each => each[0] === sold)![1]
  const share = 1 - priceOf(name) / piecesOf(name) / (priceOf(than) / piecesOf(than))
  const [from, to] = game.usualMinutes
  return {
    code,
    game: game.name,
    name,
    price: `฿${priceOf(name).toLocaleString('en-US')}`,
    benefit: `คุ้มกว่าแพ็ก ${than} ${Math.floor(share * 100)}%`,
    pace: `ปกติเข้าไอดีใน ${from}–${to} นาที`,
  }
})
export type DemoBanner = (typeof demoBanners)[number]

export const textOfBanner = ({ game, name, price, benefit }: DemoBanner): string =>
  `${game} ${name} ${price} ${benefit}`

const ground = `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="500">
  <rect width="1000" height="500" fill="#20357f"/><circle cx="800" cy="220" r="300" fill="#2a449c"/>
  <circle cx="800" cy="220" r="196" fill="#3656bb"/><rect x="64" y="338" width="210" height="76" rx="38" fill="#fff"/>
</svg>`
const rounded = Buffer.from('<svg width="260" height="260"><rect width="260" height="260" rx="44"/></svg>')

/** A WebP of a banner, twice as wide as it is high. */
export async function drawBanner({ code, game, name, price, benefit, pace }: DemoBanner): Promise<Buffer> {
  const art = await readFile(join(projectRoot, `local/demo-art/games/${code}.svg`))
  const picture = await sharp(art, { density: 120 })
    .resize(260, 260)
    .composite([{ input: rounded, blend: 'dest-in' }])
    .png()
    .toBuffer()
  const layers = await Promise.all([
    write([[game, 34, '#dbe3fb']], 66, 56),
    write(
      [
        [name, name.length > 12 ? 50 : 72, '#fff'],
        [price, 72, '#f9dd9c'],
      ],
      64,
      102,
      'bold',
    ),
    write([[benefit, 36, '#fff']], 66, 278),
    write([['เติมเลย', 38, '#20357f']], 112, 356, 'bold'),
    write([[pace, 28, '#dbe3fb']], 302, 366),
  ])
  return sharp(Buffer.from(ground))
    .composite([{ input: picture, left: 670, top: 90 }, ...layers])
    .webp({ quality: 88 })
    .toBuffer()
}
