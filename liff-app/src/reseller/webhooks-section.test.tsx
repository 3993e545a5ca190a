import { AppError } from '@shop/shared/errors.ts'
import {
  addWebhook,
  listWebhookMessages,
  listWebhooks,
  removeWebhook,
  renewWebhookSecret,
  switchWebhook,
  testWebhook,
  type WebhookView,
} from '@shop/shared/webhook/endpoints.ts'
import { fake, refuse } from '@shop/web/testing.tsx'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import {
  endpointOf,
  messageOf,
  messagesReply,
  pressBack,
  showPage,
  startResellerServer,
  webhooksReply,
} from './testing.tsx'

vi.mock('../firebase.ts', () => ({
  onUser: (hear: (uid: string) => void) => hear('u1'),
  getToken: async () => 'token',
  signOut: async () => undefined,
}))
const server = startResellerServer()

const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const answerWith = (...webhooks: WebhookView[]) => server.use(fake(listWebhooks, () => webhooksReply(...webhooks)))
const findCard = async (digit: number) =>
  within(await screen.findByRole('listitem', { name: `https://shop${digit}.example.com/hook` }))
const sentBy = (digit: number) => endpointOf(digit).url

test.each([
  ['works', {}, 'ทำงานปกติ', null],
  [
    'fails',
    { failingSince: '2026-11-20T05:00:00.000Z', waiting: 1200 },
    'ส่งไม่สำเร็จ',
    /ตั้งแต่ 20 พ.ย. · 12:00 น. ร้านจะลองส่งใหม่เอง/,
  ],
  ['was switched off by its owner', { isOn: false, offFor: 'owner' }, 'ปิดอยู่', /^เหตุการณ์ระหว่างที่ปิดจะไม่แจ้งย้อนหลัง$/],
  ['is gone', { isOn: false, offFor: 'gone' }, 'ปิดอยู่', /^ปลายทางตอบว่าเลิกรับ \(410\) เหตุการณ์ระหว่าง/],
  ['failed for too long', { isOn: false, offFor: 'failing' }, 'ปิดอยู่', /^ส่งไม่สำเร็จติดต่อกันนานเกินไป เหตุการณ์ระหว่าง/],
] as const)('an endpoint that %s says so', async (_, change, tag, why) => {
  answerWith(endpointOf(1, change))
  showPage('?mode=live')
  const card = await findCard(1)
  card.getByText(tag)
  const said = (_text: string, element: Element | null) => Boolean(why && element?.textContent?.match(why))
  if (why) expect(card.getAllByText(said).length).toBeGreaterThan(0)
  else expect(card.queryByText(/ตั้งแต่|ย้อนหลัง/)).toBeNull()
  card.getByText('waiting' in change ? 'รอส่ง 1,200 ข้อความ' : 'รอส่ง 0 ข้อความ')
})

test('while an old secret signs too, it is said until when', async () => {
  answerWith(endpointOf(1, { oldSecretUntil: '2026-11-21T05:00:00.000Z' }))
  showPage('?mode=live')
  const card = await findCard(1)
  card.getByText('รหัสลับเก่าใช้ได้ถึง 21 พ.ย. · 12:00 น.')
})

test('endpoints stand under their mode, at most three', async () => {
  answerWith(endpointOf(1), endpointOf(2), endpointOf(3), endpointOf(4, { mode: 'test' }))
  showPage('?mode=live')
  await findCard(1)
  expect(screen.queryByText(sentBy(4))).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'ครบ 3 แห่งแล้ว' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'ทดสอบ' }))
  await findCard(4)
  expect(screen.queryByText(sentBy(1))).toBeNull()
  screen.getByRole('button', { name: 'เพิ่มปลายทาง' })
})

test('without endpoints the page says so; a failure to read them offers another try', async () => {
  let tries = 0
  server.use(
    fake(listWebhooks, () => {
      if (++tries === 1) throw new AppError('INTERNAL')
      return webhooksReply()
    }),
  )
  showPage('?mode=live')
  await userEvent.click(await screen.findByRole('button', { name: 'ลองอีกครั้ง' }))
  await screen.findByText('ยังไม่มีปลายทาง')
})

test('the switch turns an endpoint off and on; a failure leaves it as it was and says why', async () => {
  let isOn = true
  const sent: unknown[] = []
  server.use(
    fake(listWebhooks, () => webhooksReply(endpointOf(1, isOn ? {} : { isOn, offFor: 'owner' }))),
    fake(switchWebhook, body => {
      sent.push(body)
      if (sent.length === 1) throw new AppError('UNAVAILABLE')
      isOn = (body as { isOn: boolean }).isOn
      return endpointOf(1, { isOn })
    }),
  )
  showPage('?mode=live')
  const card = await findCard(1)
  const toggle = () => card.getByRole('switch', { name: 'ส่งเหตุการณ์' })
  expect(toggle().getAttribute('aria-checked')).toBe('true')
  await userEvent.click(toggle())
  await card.findByRole('alert')
  expect(toggle().getAttribute('aria-checked')).toBe('true')
  await userEvent.click(toggle())
  await card.findByText('ปิดอยู่')
  expect(toggle().getAttribute('aria-checked')).toBe('false')
  expect(card.queryByRole('alert')).toBeNull()
  await userEvent.click(card.getByText('ส่งเหตุการณ์'))
  await card.findByText('ทำงานปกติ')
  expect(sent).toEqual([{ isOn: false }, { isOn: false }, { isOn: true }])
})

test('a test event is sent, and the log opens with it', async () => {
  const asked: string[] = []
  answerWith(endpointOf(1), endpointOf(2))
  server.use(
    fake(testWebhook, (_, url) => {
      asked.push(url.pathname.split('/').at(-2)!)
      return messageOf('m1', { type: 'endpoint.test', state: 'waiting', tries: 0 })
    }),
    fake(listWebhookMessages, () => messagesReply([messageOf('m1', { type: 'endpoint.test' })])),
  )
  showPage('?mode=live')
  await userEvent.click(await screen.findByRole('button', { name: `ส่งทดสอบ ${sentBy(2)}` }))
  const card = await findCard(2)
  await card.findByText('endpoint.test')
  expect(asked).toEqual([endpointOf(2).id])
  expect(screen.getByLabelText('ตัวเลือก').textContent).toBe(`?mode=live&log=${endpointOf(2).id}`)
})

test('a test that is refused says why; an endpoint that is off takes none and leads to its switch', async () => {
  answerWith(endpointOf(1), endpointOf(2, { isOn: false, offFor: 'owner' }))
  server.use(fake(testWebhook, refuse('RATE_LIMITED', { values: { n: 5 } })))
  showPage('?mode=live')
  const first = await findCard(1)
  await userEvent.click(first.getByRole('button', { name: `ส่งทดสอบ ${sentBy(1)}` }))
  await first.findByText(/ทำรายการบ่อยเกินไป .*5 นาที/)
  const second = await findCard(2)
  await userEvent.click(second.getByRole('button', { name: 'เปิดก่อนส่งทดสอบ' }))
  expect(document.activeElement).toBe(second.getByRole('switch'))
})

const urlField = () => screen.getByLabelText('ที่อยู่ปลายทาง (HTTPS)') as HTMLInputElement
async function openAdding(search = '') {
  showPage(search)
  await userEvent.click(await screen.findByRole('button', { name: 'เพิ่มปลายทาง' }))
  const dialog = within(await screen.findByRole('dialog', { name: /^เพิ่มปลายทาง/ }))
  const next = () => userEvent.click(screen.getByRole('button', { name: 'ต่อไป' }))
  const add = async () => {
    await next()
    await typePin('เพิ่มปลายทาง')
  }
  return { dialog, next, add }
}
const typePin = async (what: string, pin = '1234') =>
  userEvent.type(await screen.findByLabelText(`กรุณากรอก PIN กระเป๋าเงินเพื่อ${what}`, { selector: 'input' }), pin)

test('an endpoint is added to the mode of the page; its secret is shown once, and closing asks first', async () => {
  const sent: unknown[] = []
  let webhooks: WebhookView[] = []
  server.use(
    fake(listWebhooks, () => webhooksReply(...webhooks)),
    fake(addWebhook, body => {
      sent.push(body)
      webhooks = [endpointOf(5, { mode: 'test' })]
      return { webhook: webhooks[0]!, secret: SECRET }
    }),
  )
  const { add } = await openAdding('?mode=test')
  await userEvent.type(urlField(), ` ${sentBy(5)} `)
  await add()
  await screen.findByText(SECRET)
  expect(sent).toEqual([{ mode: 'test', url: sentBy(5), pin: '1234' }])
  pressBack()
  await screen.findByText('ปิดแล้วดูรหัสลับนี้อีกไม่ได้ เก็บไว้แล้วหรือยัง?')
  screen.getByText(SECRET)
  await userEvent.click(screen.getByRole('button', { name: 'ยังไม่ได้เก็บ' }))
  await userEvent.click(screen.getByRole('button', { name: 'ฉันเก็บรหัสลับแล้ว' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await findCard(5)
  expect(document.documentElement.outerHTML).not.toContain(SECRET)
})

test('only an address of the web is sent; the server says why others are refused', async () => {
  const { dialog, next } = await openAdding()
  await userEvent.type(urlField(), 'shop.example.com/hook')
  await next()
  await dialog.findByText(/ต้องเป็นที่อยู่ HTTPS/)
  expect(urlField().getAttribute('aria-invalid')).toBe('true')
})

test('refusals of the address stand at its field, others at the PIN; what was typed stays', async () => {
  const refusals = [
    new AppError('WEBHOOK_ADDRESS_REFUSED', { values: { why: 'เป็นเครือข่ายภายใน' } }),
    new AppError('WEBHOOK_TOO_MANY', { values: { n: 3 } }),
    new AppError('PIN_WRONG', { values: { n: 4 } }),
    new AppError('WEBHOOK_KEYS_MISSING'),
    new AppError('UNAVAILABLE'),
  ]
  server.use(
    fake(addWebhook, () => {
      throw refusals.shift()
    }),
  )
  const { add } = await openAdding()
  await userEvent.type(urlField(), sentBy(5))
  const said = () => document.getElementById(urlField().getAttribute('aria-describedby')!)?.textContent
  await add()
  await waitFor(() => expect(said()).toBe('ใช้ที่อยู่นี้ไม่ได้: เป็นเครือข่ายภายใน'))
  await add()
  await waitFor(() => expect(said()).toContain('มีปลายทางครบ 3 แห่งแล้ว'))
  await add()
  await screen.findByText('PIN ไม่ถูกต้อง เหลืออีก 4 ครั้ง')
  await typePin('เพิ่มปลายทาง')
  await screen.findByText(/ร้านยังไม่พร้อม/)
  await typePin('เพิ่มปลายทาง')
  await screen.findByText(/ยังไม่ทราบผล/)
  await userEvent.click(screen.getByRole('button', { name: 'กลับไปแก้ไข' }))
  expect(urlField().value).toBe(sentBy(5))
})

test('a new secret is asked about first, fails in words, and is then shown once', async () => {
  const asked: unknown[] = []
  answerWith(endpointOf(1), endpointOf(2))
  server.use(
    fake(renewWebhookSecret, (body, url) => {
      asked.push([url.pathname.split('/').at(-2)!, body])
      if (asked.length === 1) throw new AppError('RATE_LIMITED', { values: { n: 1 } })
      return { webhook: endpointOf(2), secret: SECRET }
    }),
  )
  showPage('?mode=live')
  await userEvent.click(await screen.findByRole('button', { name: `เปลี่ยนรหัสลับ ${sentBy(2)}` }))
  const dialog = within(await screen.findByRole('dialog', { name: 'เปลี่ยนรหัสลับ' }))
  dialog.getByText(sentBy(2))
  dialog.getByText(/รหัสเก่าควบคู่กันไปอีก 24 ชั่วโมง/)
  expect(asked).toEqual([])
  await typePin('เปลี่ยนรหัสลับ')
  await dialog.findByText(/ทำรายการบ่อยเกินไป/)
  await typePin('เปลี่ยนรหัสลับ')
  await screen.findByText(SECRET)
  expect(asked).toEqual([1, 2].map(() => [endpointOf(2).id, { pin: '1234' }]))
  await userEvent.keyboard('{Escape}')
  await userEvent.click(await screen.findByRole('button', { name: 'เก็บแล้ว ปิด' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.queryByText(SECRET)).toBeNull()
})

test('removing an endpoint is asked about with its address; then it is gone', async () => {
  let webhooks = [endpointOf(1), endpointOf(2)]
  const asked: string[] = []
  server.use(
    fake(listWebhooks, () => webhooksReply(...webhooks)),
    fake(removeWebhook, (_, url) => {
      const id = url.pathname.split('/').at(-1)!
      asked.push(id)
      if (asked.length === 1) throw new AppError('INTERNAL')
      webhooks = webhooks.filter(webhook => webhook.id !== id)
      return { id }
    }),
  )
  showPage('?mode=live')
  await userEvent.click(await screen.findByRole('button', { name: `ลบ ${sentBy(1)}` }))
  const dialog = within(await screen.findByRole('dialog', { name: 'ลบปลายทาง' }))
  dialog.getByText(sentBy(1))
  await userEvent.click(dialog.getByRole('button', { name: 'ลบปลายทาง' }))
  await dialog.findByText('ลบไม่สำเร็จ กรุณาลองอีกครั้ง')
  await userEvent.click(dialog.getByRole('button', { name: 'ลบปลายทาง' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(asked).toEqual([endpointOf(1).id, endpointOf(1).id])
  expect(screen.queryByRole('listitem', { name: sentBy(1) })).toBeNull()
  screen.getByRole('listitem', { name: sentBy(2) })
})
