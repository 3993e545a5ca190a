import { createServer, type Server } from 'node:http'

/** Players that the stand-in knows, by game and id. */
const players = new Map([
  ['pubg/5123456789', 'Namkhao_TH'],
  ['pubg/5198765432', 'ploy.gg'],
  ['pubg/5111111111', 'น้องเหมียว'],
])

/** For this id the stand-in never answers, so that the client's own timeout can be seen at work. */
const SILENT_PLAYER_ID = '5000000000'

/**
 * Stands in for the game provider: `GET /players/{game}/{id}` answers 200 `{ uid, name }`, 404 `{ error }` for an unknown
 * player, and nothing at all for `SILENT_PLAYER_ID`.
 */
export async function startPlayerLookup({ port }: { port: number }): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    const [, game = '', id = ''] = /^\/players\/([^/?]+)\/([^/?]+)$/.exec(request.url ?? '') ?? []
    if (id === SILENT_PLAYER_ID) return
    const name = players.get(`${game}/${id}`)
    response.writeHead(name ? 200 : 404, { 'content-type': 'application/json; charset=utf-8' })
    response.end(JSON.stringify(name ? { uid: id, name } : { error: 'player not found' }))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return { url: `http://127.0.0.1:${port}`, stop: () => close(server) }
}

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise(resolve => server.close(() => resolve()))
}
