import { Hono } from 'hono'
import { readFont } from '../page-font.ts'
import type { State } from './state.ts'

/** Serves profile pictures, and the fonts of the emulator's own pages. */
export function createAssetRoutes(state: State): Hono {
  const app = new Hono()
  app.get('/fonts/:script', async context => {
    const font = await readFont(context.req.param('script'))
    if (!font) return context.notFound()
    return context.body(new Uint8Array(font), 200, {
      'content-type': 'font/woff2',
      'cache-control': 'max-age=31536000',
    })
  })
  app.get('/pictures/:id', context => {
    const id = context.req.param('id')
    const picture = id === state.officialAccount.userId ? drawShop() : drawPerson([...state.users.keys()].indexOf(id))
    return context.body(picture, 200, { 'content-type': 'image/svg+xml', 'cache-control': 'max-age=3600' })
  })
  return app
}

const colours = ['#5b7fd6', '#0b8a7a', '#c4683c', '#7a5cc0', '#c2477f', '#3a7ca5']

function drawPerson(index: number): string {
  const colour = colours[Math.max(index, 0) % colours.length]!
  return draw(colour, '<circle cx="40" cy="32" r="14"/><path d="M12 80a28 28 0 0 1 56 0z"/>')
}

function drawShop(): string {
  return draw('#2347c5', '<path d="M40 16c10 13 17 20 17 30a17 17 0 0 1-34 0c0-10 7-17 17-30z"/>')
}

function draw(ground: string, shape: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 80"><rect width="80" height="80" fill="${ground}"/><g fill="#fff">${shape}</g></svg>`
}
