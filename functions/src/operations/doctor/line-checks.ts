import * as z from 'zod'
import { askWithAny, fingerprintOf } from '../../asking/keys.ts'
import { askJson } from '../../http/ask-json.ts'
import { allOf, type Finding, note, ok, type Patient, skipped, wrong } from './patient.ts'

const TIMEOUT_MS = 10_000
const WEBHOOK = '/line/webhook'

const bot = z.object({ basicId: z.string(), displayName: z.string() })
const endpoint = z.object({ endpoint: z.string(), active: z.boolean() })
const tested = z.object({
  success: z.boolean(),
  statusCode: z.number().optional(),
  reason: z.string(),
  detail: z.string().optional(),
})
const oauthError = z.object({ error: z.string() })

const SILENT = 'LINE does not answer: does this machine reach api.line.me?'

const askBotWith = ({ config }: Patient, token: string, path: string, json?: object) =>
  askJson(`${config.LINE_API_BASE_URL}/v2/bot/${path}`, {
    json,
    headers: { authorization: `Bearer ${token}` },
    timeoutMs: TIMEOUT_MS,
  })

/** Asks with the newest token that LINE takes. */
const askBot = (patient: Patient, path: string, json?: object) =>
  askWithAny(patient.config.LINE_CHANNEL_ACCESS_TOKEN)(
    token => askBotWith(patient, token, path, json),
    reply => (reply?.status === 401 ? 'refused' : null),
  )

/** What is refused while another one is taken is either not in force yet, or of no use any more. */
const refusedNotes = (name: string, refused: readonly string[]): Finding[] =>
  refused.map(secret => note(`${name} ${fingerprintOf(secret)} is refused by LINE, another one is taken.`))

export async function checkBot(patient: Patient): Promise<Finding[]> {
  const tokens = patient.config.LINE_CHANNEL_ACCESS_TOKEN
  if (tokens.length === 0) return [skipped('LINE_CHANNEL_ACCESS_TOKEN is not set')]
  const asked = await Promise.all(
    tokens.map(async token => ({ token, reply: await askBotWith(patient, token, 'info') })),
  )
  const reply = (asked.find(({ reply }) => reply?.status === 200) ?? asked[0]!).reply
  if (!reply) return [wrong(SILENT)]
  const told = bot.safeParse(reply.body)
  if (reply.status !== 200 || !told.success)
    return [
      wrong(
        `LINE_CHANNEL_ACCESS_TOKEN is refused (${reply.status}): issue a long-lived token of the Messaging channel.`,
      ),
    ]
  const refused = asked.filter(each => each.reply?.status === 401).map(({ token }) => token)
  return [ok(`${told.data.displayName} ${told.data.basicId}`), ...refusedNotes('LINE_CHANNEL_ACCESS_TOKEN', refused)]
}

/** LINE itself calls the shop here, so that a server with another channel's secret is found out. */
export async function checkWebhook(patient: Patient): Promise<Finding> {
  const { config } = patient
  if (config.LINE_CHANNEL_ACCESS_TOKEN.length === 0) return skipped('LINE_CHANNEL_ACCESS_TOKEN is not set')
  const expected = new URL(WEBHOOK, config.STOREFRONT_URL).href
  const set = await askBot(patient, 'channel/webhook/endpoint')
  if (!set) return wrong(SILENT)
  const told = endpoint.safeParse(set.body)
  if (!told.success || !told.data.endpoint.endsWith(WEBHOOK))
    return wrong(`The Messaging channel's webhook URL is not set to ${expected}.`)
  if (!told.data.active)
    return wrong('The Messaging channel has "Use webhook" switched off, so the shop hears nothing.')
  const answer = await askBot(patient, 'channel/webhook/test', {})
  const result = tested.safeParse(answer?.body)
  if (!result.success) return wrong(SILENT)
  const { success, statusCode, reason, detail } = result.data
  if (success) return ok(told.data.endpoint)
  if (statusCode === 403)
    return wrong(`The server refuses LINE's signature (403): LINE_CHANNEL_SECRET is not the Messaging channel's.`)
  if (statusCode === 404)
    return wrong(
      `Nothing hears LINE at ${told.data.endpoint} (404): LINE_CHANNEL_SECRET is not set, or the address is wrong.`,
    )
  return wrong(`LINE does not reach ${told.data.endpoint}: ${[reason, statusCode, detail].filter(Boolean).join(' ')}.`)
}

/**
 * Without a person signing in only half can be known: LINE names a wrong pair of id and secret when it is asked to end
 * a token that does not exist.
 */
export async function checkLogin({ config }: Patient): Promise<Finding[]> {
  const { LINE_LOGIN_CHANNEL_ID: id, LINE_LOGIN_CHANNEL_SECRET: secrets } = config
  if (!id || secrets.length === 0) return [skipped('LINE_LOGIN_CHANNEL_ID is not set: nobody signs in with LINE')]
  const asked = await Promise.all(secrets.map(async secret => ({ secret, found: await tryLogin(config, id, secret) })))
  const refused = asked.filter(({ found }) => found === null).map(({ secret }) => secret)
  const other = asked.find(({ found }) => found !== null)?.found
  if (!other) return [wrong("LINE_LOGIN_CHANNEL_SECRET is not the Login channel's (LINE refuses it).")]
  return [other, ...refusedNotes('LINE_LOGIN_CHANNEL_SECRET', refused)]
}

/** Returns null when LINE refuses the secret. */
async function tryLogin(config: Patient['config'], id: string, secret: string): Promise<Finding | null> {
  const form = new URLSearchParams({ access_token: 'doctor', client_id: id, client_secret: secret })
  const reply = await askJson(`${config.LINE_API_BASE_URL}/oauth2/v2.1/revoke`, { form, timeoutMs: TIMEOUT_MS })
  if (!reply) return wrong(SILENT)
  const told = oauthError.safeParse(reply.body).data?.error
  if (told === 'invalid_client') return null
  if (told === 'invalid_request' && reply.status === 400)
    return wrong(`LINE_LOGIN_CHANNEL_ID ${id} is no Login channel (LINE refuses it).`)
  return ok(`channel ${id}`)
}

/** A LIFF app's id begins with its channel's, whose tokens alone the server takes. */
export async function checkLiff({ config }: Patient): Promise<Finding[]> {
  const { LINE_LIFF_ID: liffId, LINE_LOGIN_CHANNEL_ID: channelId } = config
  if (!liffId) return [skipped('LINE_LIFF_ID is not set: links in chats open in a browser')]
  const [channel, app] = liffId.split('-')
  if (!channel || !app || !/^\d+$/.test(channel))
    return [wrong(`LINE_LIFF_ID ${liffId} is no LIFF id, like 1234567890-AbcdEfgh.`)]
  const isOther = channelId !== undefined && channel !== channelId
  return allOf(
    isOther
      ? [
          `LINE_LIFF_ID is an app of channel ${channel}, LINE_LOGIN_CHANNEL_ID names ${channelId}: add it to that channel.`,
        ]
      : [],
    liffId,
  )
}
