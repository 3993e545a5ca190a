import { AppError, type ErrorCode, type ErrorValues } from '@shop/shared/errors.ts'
import { listKeys, makeKey, type ResellerKeyView } from '@shop/shared/reseller/key-endpoints.ts'
import { getApiWallet } from '@shop/shared/reseller/v1-endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { FIRST_CALL_PATH } from './address.ts'
import { apiKey, keysReply, pressBack, showPage, startResellerServer } from './testing.tsx'

vi.mock('../firebase.ts', () => ({
  onUser: (hear: (uid: string) => void) => hear('u1'),
  getToken: async () => 'token',
  signOut: async () => undefined,
}))
const server = startResellerServer()

const TOKEN = `${apiKey('z').id}.q8Zb1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX2yZ3_-`

type Refusal = [code: ErrorCode, values?: ErrorValues]

/** The server refuses as often as told, then makes the key. Returns what it was sent. */
function answerMaking(...refusals: Refusal[]): unknown[] {
  const sent: unknown[] = []
  let keys: ResellerKeyView[] = []
  server.use(
    fake(listKeys, () => keysReply(...keys)),
    fake(makeKey, body => {
      sent.push(body)
      const [code, values] = refusals[sent.length - 1] ?? []
      if (code) throw new AppError(code, { values })
      keys = [apiKey('z')]
      return { key: keys[0]!, token: TOKEN }
    }),
  )
  return sent
}

async function openForm(search = '') {
  showPage(search)
  await userEvent.click(await screen.findByRole('button', { name: 'สร้างคีย์' }))
  await screen.findByLabelText('ชื่อคีย์')
}
const input = (label: string) => screen.getByLabelText(label) as HTMLInputElement
const box = (name: RegExp) => screen.getByRole('checkbox', { name }) as HTMLInputElement
const goOn = () => userEvent.click(screen.getByRole('button', { name: 'ต่อไป' }))
const PIN = 'กรุณากรอก PIN กระเป๋าเงินเพื่อสร้างคีย์'
const findPin = async () => (await screen.findByLabelText(PIN, { selector: 'input' })) as HTMLInputElement
const typePin = async (pin = '1234') => userEvent.type(await findPin(), pin)
/** What is said at a field. */
const saidAt = (field: HTMLElement) => document.getElementById(field.getAttribute('aria-describedby')!)?.textContent

const chooseLive = () => userEvent.click(screen.getByRole('radio', { name: /ใช้จริง/ }))

async function fillIn() {
  await chooseLive()
  await userEvent.type(input('ชื่อคีย์'), 'เว็บร้าน')
  await userEvent.click(box(/สั่งซื้อและยกเลิก/))
  await userEvent.type(input('วงเงินต่อวัน (บาท)'), '1,500.50')
  await userEvent.type(input('ใช้ได้จากที่อยู่ IP'), '203.0.113.5\n 198.51.100.0/24\n')
}
const FILLED = {
  name: 'เว็บร้าน',
  mode: 'live',
  scopes: ['read', 'order'],
  addresses: ['203.0.113.5', '198.51.100.0/24'],
  dailyLimitSatang: 1500_50,
}

async function reachToken() {
  await openForm()
  await fillIn()
  await goOn()
  await typePin()
  await screen.findByText('ลองเรียกครั้งแรก')
  return within(screen.getByRole('dialog', { name: 'เก็บคีย์ของคุณ' }))
}

test('a key is made of what was typed and the PIN, and reading is chosen at first', async () => {
  const sent = answerMaking()
  await openForm()
  expect(box(/อ่านสินค้า/).checked).toBe(true)
  expect(box(/สั่งซื้อและ/).checked || box(/อ่านรหัส/).checked).toBe(false)
  await fillIn()
  await goOn()
  const step = within(await screen.findByRole('dialog', { name: 'ยืนยันการสร้างคีย์' }))
  step.getByText('เว็บร้าน')
  step.getByText('฿1,500.50')
  const pin = await findPin()
  await waitFor(() => expect(document.activeElement).toBe(pin))
  await typePin()
  await screen.findByText(TOKEN)
  expect(sent).toEqual([{ ...FILLED, pin: '1234' }])
})

test('the token can be copied, with a first call that works, and is gone once it was kept', async () => {
  const user = userEvent.setup()
  answerMaking()
  const dialog = await reachToken()
  await user.click(dialog.getByRole('button', { name: 'คัดลอก คีย์' }))
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe(TOKEN))
  dialog.getByText(`curl ${location.origin}/reseller/v1/wallet -H "Authorization: Bearer ${TOKEN}"`)
  expect(FIRST_CALL_PATH).toBe(getApiWallet.path)
  expect(getApiWallet.method).toBe('GET')
  await userEvent.click(dialog.getByRole('button', { name: 'ฉันเก็บคีย์แล้ว' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await screen.findByRole('listitem', { name: 'เครื่อง z' })
  expect(document.documentElement.outerHTML).not.toContain(TOKEN)
  await userEvent.click(screen.getByRole('button', { name: 'สร้างคีย์' }))
  expect(((await screen.findByLabelText('ชื่อคีย์')) as HTMLInputElement).value).toBe('')
})

test.each([
  ['Escape', () => userEvent.keyboard('{Escape}')],
  ['the close button', () => userEvent.click(screen.getByRole('button', { name: 'ปิด' }))],
  ["the browser's Back", async () => pressBack()],
])('%s does not close the token, but asks; a second time, too', async (_, close) => {
  answerMaking()
  const dialog = await reachToken()
  for (const _time of [1, 2]) {
    await close()
    await dialog.findByText('ปิดแล้วดูคีย์นี้อีกไม่ได้ เก็บไว้แล้วหรือยัง?')
    dialog.getByText(TOKEN)
    expect(history.state).toHaveProperty('sheet')
    await userEvent.click(dialog.getByRole('button', { name: 'ยังไม่ได้เก็บ' }))
    dialog.getByRole('button', { name: 'ฉันเก็บคีย์แล้ว' })
  }
  await close()
  await userEvent.click(await dialog.findByRole('button', { name: 'เก็บแล้ว ปิด' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.queryByText(TOKEN)).toBeNull()
})

test('leaving the page is asked about while the token is shown, and not after', async () => {
  answerMaking()
  const isHeld = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  await openForm()
  expect(isHeld()).toBe(false)
  await fillIn()
  await goOn()
  await typePin()
  await screen.findByText(TOKEN)
  expect(isHeld()).toBe(true)
  await userEvent.click(screen.getByRole('button', { name: 'ฉันเก็บคีย์แล้ว' }))
  await waitFor(() => expect(screen.queryByText(TOKEN)).toBeNull())
  expect(isHeld()).toBe(false)
})

test('a wrong PIN is asked for again with what is left; the right one makes the same key', async () => {
  const sent = answerMaking(['PIN_WRONG', { n: 4 }])
  await openForm()
  await fillIn()
  await goOn()
  await typePin('9999')
  await screen.findByText('PIN ไม่ถูกต้อง เหลืออีก 4 ครั้ง')
  await typePin('1234')
  await screen.findByText(TOKEN)
  expect(sent).toEqual([
    { ...FILLED, pin: '9999' },
    { ...FILLED, pin: '1234' },
  ])
})

test('a locked PIN takes the place of the pad, and the form is kept behind it', async () => {
  answerMaking(['PIN_LOCKED', { time: '14:30 น.' }])
  await openForm()
  await fillIn()
  await goOn()
  await typePin()
  await screen.findByText(/กรอก PIN ผิดหลายครั้ง ลองใหม่ได้ตั้งแต่ 14:30 น./)
  expect(screen.queryByText(PIN)).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'กลับไปแก้ไข' }))
  expect(input('ชื่อคีย์').value).toBe('เว็บร้าน')
})

test.each([
  [
    'KEY_ADDRESS_INVALID',
    { address: '203.0.113.5' },
    () => input('ใช้ได้จากที่อยู่ IP'),
    'ที่อยู่ IP ไม่ถูกต้อง: 203.0.113.5 เช่น 203.0.113.0/24',
  ],
  ['KEY_TOO_MANY', { n: 2 }, () => screen.getByRole('radio', { name: /ทดสอบ/ }), /มีคีย์ที่ใช้งานอยู่ครบ 2 คีย์แล้ว/],
] as const)('%s leads back to its field, where everything but the PIN is kept', async (code, values, field, said) => {
  const sent = answerMaking([code, values])
  await openForm()
  await fillIn()
  await goOn()
  await typePin()
  await screen.findByText(said)
  await waitFor(() => expect(document.activeElement).toBe(field()))
  expect(input('ชื่อคีย์').value).toBe('เว็บร้าน')
  expect(box(/สั่งซื้อและยกเลิก/).checked).toBe(true)
  expect(input('วงเงินต่อวัน (บาท)').value).toBe('1,500.50')
  expect(input('ใช้ได้จากที่อยู่ IP').value).toBe('203.0.113.5\n 198.51.100.0/24\n')
  await goOn()
  expect((await findPin()).value).toBe('')
  await typePin('5678')
  await screen.findByText(TOKEN)
  expect(sent.at(-1)).toEqual({ ...FILLED, pin: '5678' })
})

test('a field that the server refuses is told at that field', async () => {
  server.use(
    fake(makeKey, () => {
      throw new AppError('INVALID_INPUT', { fields: { 'addresses.1': 'ต้องมีอย่างน้อย 2 ตัวอักษร' } })
    }),
  )
  await openForm()
  await fillIn()
  await goOn()
  await typePin()
  await screen.findByText('ต้องมีอย่างน้อย 2 ตัวอักษร')
  expect(saidAt(input('ใช้ได้จากที่อยู่ IP'))).toBe('ต้องมีอย่างน้อย 2 ตัวอักษร')
})

test('after a lost answer nobody knows, which is said, and the keys are read again', async () => {
  const reads = vi.fn(() => keysReply())
  answerMaking(['UNAVAILABLE'])
  server.use(fake(listKeys, reads))
  await openForm()
  await fillIn()
  await goOn()
  const before = reads.mock.calls.length
  await typePin()
  await screen.findByText(/ยังไม่ทราบผล .*หากมีคีย์ชื่อนี้แล้ว ให้ยกเลิกคีย์นั้น/)
  await waitFor(() => expect(reads.mock.calls.length).toBeGreaterThan(before))
})

test('closed by mistake, the form opens again with what was typed', async () => {
  answerMaking()
  await openForm()
  await fillIn()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await userEvent.click(screen.getByRole('button', { name: 'สร้างคีย์' }))
  expect(((await screen.findByLabelText('ชื่อคีย์')) as HTMLInputElement).value).toBe('เว็บร้าน')
  expect(input('วงเงินต่อวัน (บาท)').value).toBe('1,500.50')
})

const WARNING = /จะใช้เงินในกระเป๋าได้ทั้งหมด/

test('a live key that orders without a limit is warned of; with one, or for tests, it is not', async () => {
  await openForm()
  await chooseLive()
  expect(screen.queryByText(WARNING)).toBeNull()
  await userEvent.click(box(/สั่งซื้อและ/))
  screen.getByText(WARNING)
  await userEvent.type(input('วงเงินต่อวัน (บาท)'), '500')
  expect(screen.queryByText(WARNING)).toBeNull()
  await userEvent.clear(input('วงเงินต่อวัน (บาท)'))
  screen.getByText(WARNING)
  await userEvent.click(screen.getByRole('radio', { name: /ทดสอบ/ }))
  expect(screen.queryByText(WARNING)).toBeNull()
})

test('without a limit and addresses none are sent; the mode is that of the page', async () => {
  const sent = answerMaking()
  await openForm('?mode=test')
  await userEvent.type(input('ชื่อคีย์'), 'ลอง')
  await goOn()
  screen.getByText('ไม่จำกัด')
  await typePin()
  await screen.findByText(TOKEN)
  const plain = { name: 'ลอง', mode: 'test', scopes: ['read'], addresses: [], dailyLimitSatang: null, pin: '1234' }
  expect(sent).toEqual([plain])
})

test('a key that may not read gets no first call, which would be refused', async () => {
  answerMaking()
  await openForm()
  await userEvent.type(input('ชื่อคีย์'), 'ลอง')
  await userEvent.click(box(/อ่านสินค้า/))
  await userEvent.click(box(/อ่านรหัส/))
  await goOn()
  await typePin()
  await screen.findByText(TOKEN)
  expect(screen.queryByText(/curl/)).toBeNull()
})

test.each([
  ['ชื่อคีย์', '', 'กรุณากรอกข้อมูล'],
  ['วงเงินต่อวัน (บาท)', '0.50', 'ต้องไม่น้อยกว่า 1.00 บาท'],
  ['วงเงินต่อวัน (บาท)', '12,50', /หมายถึงเท่าไร/],
  ['วงเงินต่อวัน (บาท)', 'มาก', 'กรุณากรอกจำนวนเงินเป็นตัวเลข'],
  ['ใช้ได้จากที่อยู่ IP', '203.0.113.5\nx', 'x: ต้องมีอย่างน้อย 2 ตัวอักษร'],
  ['ใช้ได้จากที่อยู่ IP', Array.from({ length: 21 }, (_, at) => `203.0.113.${at}`).join('\n'), 'ต้องไม่เกิน 20 รายการ'],
])('%s refuses %j in words before the PIN is asked for', async (label, typed, said) => {
  await openForm()
  if (label !== 'ชื่อคีย์') await userEvent.type(input('ชื่อคีย์'), 'ลอง')
  if (typed) await userEvent.type(input(label), typed)
  await goOn()
  await waitFor(() => expect(saidAt(input(label))).toMatch(said))
  expect(document.activeElement).toBe(input(label))
  expect(screen.queryByText(PIN)).toBeNull()
})

test('a key that may do nothing is refused', async () => {
  await openForm()
  await userEvent.type(input('ชื่อคีย์'), 'ลอง')
  await userEvent.click(box(/อ่านสินค้า/))
  await goOn()
  await screen.findByText('กรุณาเลือกอย่างน้อย 1 อย่าง')
  expect(screen.queryByText(PIN)).toBeNull()
})
