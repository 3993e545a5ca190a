import { createServer } from 'node:http'

/** Games that the stand-in knows, as the queue system names them. */
const games = [
  { game_id: 'QMS-101', game_sdesc: 'PUBG Mobile (UC)' },
  { game_id: 'QMS-102', game_sdesc: 'Mobile Legends (Diamonds)' },
  { game_id: 'QMS-103', game_sdesc: 'Free Fire (Diamonds)' },
  { game_id: 'QMS-104', game_sdesc: 'RoV (Coupons)' },
  { game_id: 'QMS-105', game_sdesc: 'Genshin Impact (Crystals)' },
]

/** Stands in for the queue system: `GET /games` answers its games. */
export async function startQms({ port }: { port: number }): Promise<{ stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    const isKnown = request.url === '/games'
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json; charset=utf-8' })
    response.end(JSON.stringify(isKnown ? games : { error: 'not found' }))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    stop() {
      server.closeAllConnections()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}
