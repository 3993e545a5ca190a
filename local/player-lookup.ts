import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Listening, listen } from './listen.ts'

/** Players that Midasbuy's stand-in knows, by game and id. */
const players = new Map([
  ['pubg/5123456789', 'Namkhao_TH'],
  ['pubg/5198765432', 'ploy.gg'],
  ['pubg/5111111111', 'น้องเหมียว'],
])
/** Those that G2Bulk's knows, by its own codes of games; the second is known there only, the third has a server. */
const g2bulkPlayers = new Map([
  ['pubgm/5123456789', 'Namkhao_TH'],
  ['pubgm/5222222222', 'Mali_TH'],
  ['mlbb/12345678/2001', 'Layla'],
])
const G2BULK_GAMES = ['pubgm', 'mlbb', 'freefire']

/** In these games, of which the demo shop has sold many, every id is somebody's but those that begin with a 0. */
const OPEN_GAMES = ['freefire', 'mlbb']
const NAMES = ['Mali_TH', 'KhaoPun', 'PhuphaX', 'NongBeam', 'Tonkla7']

function nameOfG2Bulk(game: string, id: string, server: string | undefined): string | undefined {
  const named = g2bulkPlayers.get([game, id, server].filter(Boolean).join('/'))
  const isElsewhere = [...g2bulkPlayers.keys()].some(key => key.startsWith(`${game}/${id}/`))
  if (named || isElsewhere || !OPEN_GAMES.includes(game)) return named
  return /^[1-9]\d+$/.test(id) ? NAMES[Number(id) % NAMES.length] : undefined
}

/** For this id neither stand-in ever answers, so that the client's own timeout can be seen at work. */
const SILENT_PLAYER_ID = '5000000000'

type Fault = (response: ServerResponse) => void
const answerJson = (response: ServerResponse, status: number, body: object) => {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(body))
}

/** Player ids with which G2Bulk's stand-in goes wrong in the ways that its page names, and in others. */
export const G2BULK_FAULTS: Record<string, Fault> = {
  [SILENT_PLAYER_ID]: () => undefined,
  '5000000001': response => answerJson(response, 500, refusal('INTERNAL_ERROR')),
  '5000000002': response => answerJson(response, 429, refusal('RATE_LIMITED')),
  '5000000003': response => response.end('<html>maintenance</html>'),
  '5000000004': response => answerJson(response, 200, { success: true }),
  '5000000005': response => response.destroy(),
  '5000000006': response => answerJson(response, 200, { valid: 'maybe', name: '' }),
}

const refusal = (code: string) => ({ success: false, message: code.toLowerCase(), error_code: code })

async function answerG2Bulk(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // The real one bans an address for good that sends wrong keys; ours must send none.
  if (request.headers['x-api-key']) return answerJson(response, 401, refusal('INVALID_API_KEY'))
  const { game = '', user_id: id = '', server_id: server } = JSON.parse(await text(request)) as Record<string, string>
  const fault = G2BULK_FAULTS[id]
  if (fault) return fault(response)
  if (!G2BULK_GAMES.includes(game)) return answerJson(response, 404, refusal('GAME_NOT_FOUND'))
  const name = nameOfG2Bulk(game, id, server)
  answerJson(response, 200, name ? { valid: 'valid', name, openid: `open-${id}` } : { valid: 'invalid' })
}

function answerMidasbuy(request: IncomingMessage, response: ServerResponse): void {
  const [, game = '', id = ''] = /^\/players\/([^/?]+)\/([^/?]+)$/.exec(request.url ?? '') ?? []
  if (id === SILENT_PLAYER_ID) return
  const name = players.get(`${game}/${id}`)
  answerJson(response, name ? 200 : 404, name ? { uid: id, name } : { error: 'player not found' })
}

/**
 * Stands in for two who know players. Midasbuy: `GET /players/{game}/{id}` answers 200 `{ uid, name }` or 404
 * `{ error }`. G2Bulk: `POST /v1/games/checkPlayerId` answers `{ valid, name, openid }`, and goes wrong for the ids of
 * `G2BULK_FAULTS`. Neither answers for `SILENT_PLAYER_ID`.
 */
export function startPlayerLookup({ port }: { port: number }): Promise<Listening> {
  const server = createServer((request, response) => {
    if (request.method !== 'POST' || request.url !== '/v1/games/checkPlayerId') return answerMidasbuy(request, response)
    answerG2Bulk(request, response).catch(() => answerJson(response, 400, refusal('INVALID_REQUEST')))
  })
  return listen(server, port)
}
