import { richMenu } from '@shop/shared/chat/rich-menu.ts'
import * as z from 'zod'
import type { Environment } from '../environment/environment.ts'
import { type LinkPlaces, linksOf } from './telling.ts'

const LINE_API = 'https://api.line.me'
/** LINE receives files at a separate address. */
const LINE_FILES = 'https://api-data.line.me'
const TIMEOUT_MS = 30_000

type Channel = Pick<Environment, 'LINE_API_BASE_URL' | 'LINE_CHANNEL_ACCESS_TOKEN'>

const menuList = z.object({ richmenus: z.array(z.object({ richMenuId: z.string(), name: z.string() })) })
const madeMenu = z.object({ richMenuId: z.string() })

/**
 * Shows the shop's menu under its chat for everybody and removes the previous one. Returns its id. @param picture a PNG
 * of the menu's size @throws Error with LINE's message
 */
export async function setRichMenu(config: LinkPlaces & Channel, picture: Uint8Array): Promise<string> {
  const {
    LINE_API_BASE_URL: api,
    LINE_CHANNEL_ACCESS_TOKEN: [token],
  } = config
  if (!token) throw new Error('LINE_CHANNEL_ACCESS_TOKEN must be set')
  const call = async (
    method: string,
    url: string,
    body?: { type: string; bytes: string | Uint8Array<ArrayBuffer> },
  ) => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': body.type }) }
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const answer = await fetch(url, { method, headers, body: body?.bytes, redirect: 'error', signal })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${new URL(url).pathname}: ${answer.status} ${text}`)
    return JSON.parse(text || '{}') as unknown
  }
  const menu = richMenu(linksOf(config))
  const before = menuList.parse(await call('GET', `${api}/v2/bot/richmenu/list`)).richmenus
  const definition = { type: 'application/json', bytes: JSON.stringify(menu) }
  const { richMenuId } = madeMenu.parse(await call('POST', `${api}/v2/bot/richmenu`, definition))
  const files = api === LINE_API ? LINE_FILES : api
  const image = { type: 'image/png', bytes: new Uint8Array(picture) }
  await call('POST', `${files}/v2/bot/richmenu/${richMenuId}/content`, image)
  await call('POST', `${api}/v2/bot/user/all/richmenu/${richMenuId}`)
  for (const { richMenuId: old } of before.filter(({ name }) => name === menu.name))
    await call('DELETE', `${api}/v2/bot/richmenu/${old}`)
  return richMenuId
}
