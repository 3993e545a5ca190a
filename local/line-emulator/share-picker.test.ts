import { expect, test } from 'vitest'
import { demoLine } from './demo.ts'
import { createLineEmulator } from './server.ts'

const { friend, staff } = demoLine.users
const PICKER = '/oauth2/v2.1/liff/shareTargetPicker'
const line = createLineEmulator()

/** The address of LINE's page for something to share. */
async function open(messages: object[]) {
  const opened = await line.app.request(`/__emu/in-client-url?userId=${friend.userId}&path=/game`)
  const { url } = (await opened.json()) as { url: string }
  const token = new URLSearchParams(new URL(url).hash.slice(1)).get('access_token')
  const answer = await line.app.request(`/liff/v2/apps/${demoLine.liffId}/ott`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { ott } = (await answer.json()) as { ott: string }
  const query = new URLSearchParams({ ott, data: JSON.stringify({ messages }) })
  return { ott, page: await line.app.request(`${PICKER}?${query}`) }
}

const resultOf = async (ott: string) => (await line.app.request(`${PICKER}/result?ott=${ott}`)).json()
const answer = (ott: string, choice: [string, string][]) =>
  line.app.request(`${PICKER}/result?ott=${ott}`, { method: 'POST', body: new URLSearchParams(choice).toString() })
const chatOf = async (id: string) => (await line.app.request(`/__emu/view/chat/${id}`)).text()

test('what is shared stands in the chats that were picked, and the page that shared is told', async () => {
  const { ott, page } = await open([{ type: 'text', text: 'เติมเกมที่นี่' }])
  expect(await page.text()).toContain(staff.displayName)
  expect(await resultOf(ott)).toEqual({})
  await answer(ott, [
    ['chat', staff.userId],
    ['result', 'SUCCESS'],
  ])
  expect(await resultOf(ott)).toEqual({ result: 'SUCCESS' })
  expect(await chatOf(staff.userId)).toContain('เติมเกมที่นี่')
  expect(await chatOf(demoLine.staffGroup.groupId)).not.toContain('เติมเกมที่นี่')
})

test('nobody picked, or given up, is a cancel', async () => {
  for (const choice of [[['result', 'SUCCESS']], [['result', 'CANCEL']]] as [string, string][][]) {
    const { ott } = await open([{ type: 'text', text: 'ไม่ได้ส่ง' }])
    await answer(ott, choice)
    expect(await resultOf(ott)).toEqual({ result: 'CANCEL' })
  }
  expect(await chatOf(staff.userId)).not.toContain('ไม่ได้ส่ง')
})

test('what LINE would not send is refused, and so is a token that nobody was given', async () => {
  expect((await open([{ type: 'text', text: '' }])).page.status).toBe(400)
  expect((await open([])).page.status).toBe(400)
  expect((await line.app.request(`${PICKER}?ott=x&data={}`)).status).toBe(400)
  expect((await answer('x', [['result', 'SUCCESS']])).status).toBe(404)
})
