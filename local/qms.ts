import { createServer } from 'node:http'
import { type Listening, listen } from './listen.ts'

/** Games that the stand-in knows, as the queue system names them. */
const games = [
  { game_id: 'QMS-101', game_sdesc: 'PUBG Mobile (UC)' },
  { game_id: 'QMS-102', game_sdesc: 'Mobile Legends (Diamonds)' },
  { game_id: 'QMS-103', game_sdesc: 'Free Fire (Diamonds)' },
  { game_id: 'QMS-104', game_sdesc: 'RoV (Coupons)' },
  { game_id: 'QMS-105', game_sdesc: 'Genshin Impact (Crystals)' },
]

/** Stands in for the queue system: `GET /games` answers its games. */
export function startQms({ port }: { port: number }): Promise<Listening> {
  const server = createServer((request, response) => {
    const isKnown = request.url === '/games'
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json; charset=utf-8' })
    response.end(JSON.stringify(isKnown ? games : { error: 'not found' }))
  })
  return listen(server, port)
}
