import { getMe } from '@shop/shared/account/endpoints.ts'
import { checkPlayer, getPublicConfig } from '@shop/shared/catalogue/endpoints.ts'
import { fake, person } from '@shop/web/testing.tsx'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route, Routes } from 'react-router-dom'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { type Draft, getDraft, saveDraft } from '../draft.ts'
import { keepLastMethod } from '../settings/method-choice.ts'
import { write } from '../storage.ts'
import { fakeBuyer, InShop, noCredit, shopConfig, startShopServer } from '../testing.tsx'
import PurchaseScreen from './purchase-screen.tsx'
import { chosen, draft, fakeOffer, game } from './testing.ts'

vi.mock('../firebase.ts', () => ({
  onUser: (hear: (uid: string) => void) => hear('u1'),
  getToken: async () => 'token',
  signOut: async () => undefined,
}))
const server = startShopServer()
const complete: Draft = { ...draft, field2: 'Asia' }
beforeEach(() => server.use(fakeOffer()))

async function open(kept?: Draft) {
  if (kept) saveDraft(kept)
  render(
    <InShop at="/game/pubg">
      <Routes>
        <Route path="/game/:code" element={<PurchaseScreen />} />
        <Route path="*" element={null} />
      </Routes>
    </InShop>,
  )
  await screen.findByRole('heading', { name: 'PUBG Mobile' })
}
const alert = () =>
  screen
    .queryAllByRole('alert')
    .map(each => each.textContent)
    .join('')
const goOnButton = (name: string) => screen.getAllByRole('button', { name })[0]!

test('the button says what is wrong, and a tap on it shows it at the field', async () => {
  await open({ ...complete, playerId: '' })
  await userEvent.type(screen.getByRole('textbox', { name: /^Player ID/ }), '51')
  await userEvent.click(goOnButton('แก้ไข Player ID ก่อน'))
  expect(screen.getByText('กรุณากรอกตัวเลข 5–12 หลัก')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /^Player ID/ }))
})

test('an answer about the player and a tap before the page is drawn again: both stay', async () => {
  let answer: () => void = () => undefined
  server.use(
    fakeOffer({ game: { ...game, isPlayerChecked: true } }),
    fake(
      checkPlayer,
      () => new Promise(resolve => (answer = () => resolve({ uid: '5123456789', name: 'Namkhao_TH' }))),
    ),
  )
  await open({ ...complete, playerName: null })
  await userEvent.click(screen.getByRole('button', { name: 'ตรวจสอบ' }))
  await screen.findByRole('button', { name: /กำลังตรวจสอบ/ })
  // The tap comes while the answer is being kept, before anything is drawn by it.
  const storage = localStorage
  const setItem = (name: string, value: string) => {
    storage.setItem(name, value)
    if (value.includes('Namkhao_TH') && !value.includes('"package":13'))
      screen.getByRole('radio', { name: /^660 UC/ }).click()
  }
  const getItem = (name: string) => storage.getItem(name)
  vi.stubGlobal('localStorage', { getItem, setItem, removeItem: (name: string) => storage.removeItem(name) })
  answer()
  await vi.waitFor(() => expect(getDraft()?.package).toBe(13))
  vi.unstubAllGlobals()
  expect(getDraft()).toMatchObject({ playerName: 'Namkhao_TH', package: 13 })
  await screen.findAllByRole('button', { name: 'ดำเนินการต่อ' })
})

test('a package that is no longer sold is told, until another one is chosen', async () => {
  await open({ ...complete, package: 99 })
  expect(alert()).toContain('สินค้านี้ไม่ได้เปิดขายในขณะนี้ กรุณาเลือกแพ็กเกจใหม่')
  await userEvent.click(screen.getByRole('radio', { name: /^660 UC/ }))
  expect(alert()).toBe('')
})

test('a package that is sold out meanwhile is told, and another one has to be chosen', async () => {
  server.use(
    fakeOffer({
      packages: [
        { ...chosen, isOut: true },
        { ...chosen, id: 13, name: '660 UC' },
      ],
    }),
  )
  await open(complete)
  expect(alert()).toContain('สินค้านี้หมดชั่วคราว กรุณาเลือกแพ็กเกจใหม่')
  expect(goOnButton('กรุณาเลือกแพ็กเกจ')).toBeTruthy()
  await userEvent.click(screen.getByRole('radio', { name: /^660 UC/ }))
  expect(alert()).toBe('')
})

test('nobody is asked for a player where all packages are codes', async () => {
  const code = { ...chosen, delivers: 'code' as const }
  server.use(fakeOffer({ packages: [code] }))
  await open({ ...draft, playerId: '', field2: undefined })
  expect(screen.queryByText('ข้อมูลผู้เล่น')).toBeNull()
  expect(goOnButton('ดำเนินการต่อ')).toBeTruthy()
})

test('a code beside top-ups goes on without a player, a top-up does not', async () => {
  server.use(
    fakeOffer({
      packages: [
        { ...chosen, delivers: 'code' },
        { ...chosen, id: 13, name: '660 UC' },
      ],
    }),
  )
  await open({ ...draft, playerId: '', field2: undefined })
  expect(screen.getByText('ข้อมูลผู้เล่น')).toBeTruthy()
  expect(goOnButton('ดำเนินการต่อ')).toBeTruthy()
  await userEvent.click(screen.getByRole('radio', { name: /^660 UC/ }))
  expect(goOnButton('กรอก Player ID ก่อน')).toBeTruthy()
})

test('for accounts of which regions the packages are stands above them', async () => {
  server.use(fakeOffer({ regions: [{ code: 'th', name: 'ไทย' }] }))
  await open(complete)
  expect(await screen.findByText('สำหรับบัญชีภูมิภาค ไทย')).toBeTruthy()
})

test('another price than the one that was shown is told, until a package is chosen at its price', async () => {
  await open({ ...complete, actualPrice: 139_00 })
  expect(alert()).toContain('ราคาเปลี่ยนเป็น ฿149.00 แล้ว')
  await userEvent.click(screen.getByRole('radio', { name: /^660 UC/ }))
  expect(alert()).toBe('')
})

test('a selection as it was is told nothing; the only way to pay is named as the shop names it, and not asked', async () => {
  await open(complete)
  expect(alert()).toBe('')
  expect(screen.getByText('โอนผ่านธนาคาร')).toBeTruthy()
  expect(screen.queryByRole('radiogroup', { name: 'วิธีชำระเงิน' })).toBeNull()
})

test('while the shop is closed the page says when the goods come and promises no minutes', async () => {
  server.use(fake(getPublicConfig, () => shopConfig({}, { nowDate: '2026-11-20T17:00:00.000Z' })))
  await open(complete)
  expect(screen.getByText('เปิด 09:00 น. · สั่งไว้ได้เลย')).toBeTruthy()
  expect(screen.queryByText(/5–15 นาที/)).toBeNull()
})

test('while the shop holds still after a restore the page says that it takes no orders and promises no minutes', async () => {
  server.use(fake(getPublicConfig, () => shopConfig({}, { isHolding: true })))
  await open(complete)
  expect(screen.getByText('พักรับคำสั่งซื้อใหม่ชั่วคราว')).toBeTruthy()
  expect(screen.queryByText(/5–15 นาที/)).toBeNull()
})

test.each([
  ['typed and asked of nobody', false, null],
  ['confirmed by its game', true, 'เสร็จแล้ว'],
])('a player id that was %s has this mark: %s %s', async (_, isPlayerChecked, mark) => {
  server.use(fakeOffer({ game: { ...game, isPlayerChecked } }))
  await open(complete)
  const [step] = screen.getAllByRole('heading', { name: /ข้อมูลผู้เล่น/ })
  expect(within(step!).queryByRole('img')?.getAttribute('aria-label') ?? null).toBe(mark)
})

test('while it is open, the usual minutes stand there', async () => {
  await open(complete)
  expect(screen.getByText('5–15 นาที')).toBeTruthy()
})

test('what the shop tells of the game stands in its head', async () => {
  server.use(fakeOffer({ game: { ...game, desc: 'เติม UC เข้าไอดีโดยตรง' } }))
  await open(complete)
  expect(screen.getByText('เติม UC เข้าไอดีโดยตรง')).toBeTruthy()
})

test('packages come before payment, and until one is chosen the lowest price stands in the bar and the summary', async () => {
  await open({ ...complete, package: null })
  const titles = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
  expect(titles.slice(0, 3)).toEqual(['1ข้อมูลผู้เล่น', '2เลือกแพ็กเกจ', '3วิธีชำระเงิน'])
  const places = screen.getAllByText('เริ่มต้น')
  expect(places).toHaveLength(2)
  for (const place of places) expect(place.parentElement!.textContent).toContain('149 บาท')
})

test('a link with a code that the game had before leads on to its code of today', async () => {
  server.use(fakeOffer({ game: { ...game, oldCodes: ['pubg-old'] } }))
  render(
    <InShop at="/game/pubg-old?package=13">
      <Routes>
        <Route path="/game/:code" element={<PurchaseScreen />} />
      </Routes>
    </InShop>,
  )
  await screen.findByRole('heading', { name: 'PUBG Mobile' })
  expect(screen.getByRole('radio', { name: /^660 UC/ }).getAttribute('aria-checked')).toBe('true')
})

describe('where the gateway is paid through as well', () => {
  const transfer = () => screen.getByRole('radio', { name: /^โอนผ่านธนาคาร/ })
  const offer = (promptPay: { code: 'promptpay'; name: string; image: string; terms: typeof terms }) =>
    server.use(fakeOffer({ methods: [promptPay, { code: 'bank', name: 'โอนผ่านธนาคาร', image: '' }] }))
  const terms = { leastSatang: null, mostSatang: null, surchargeBasisPoints: 0, surchargeSatang: 0, openingHours: '' }
  const promptPay = { code: 'promptpay' as const, name: 'พร้อมเพย์ QR', image: '', terms }
  const fresh = { ...complete, paymentMethod: null }

  test('prices have no unknown satang until a transfer is chosen', async () => {
    offer(promptPay)
    await open(fresh)
    expect(screen.getByRole('radio', { name: /^พร้อมเพย์ QR/ }).getAttribute('aria-checked')).toBe('true')
    expect(screen.queryByText('.xx')).toBeNull()
    await userEvent.click(transfer())
    expect(screen.getAllByText('.xx').length).toBeGreaterThan(0)
  })

  test.each([
    ['is the only PromptPay', terms, false],
    ['leaves it to the transfer while it is closed', { ...terms, openingHours: '20:00-21:00' }, true],
  ])('its PromptPay %s', async (_, asOffered, isTransferToo) => {
    offer({ ...promptPay, terms: asOffered })
    await open(fresh)
    expect(transfer().textContent!.includes('พร้อมเพย์')).toBe(isTransferToo)
  })

  test.each([
    [null, 'a guest', true],
    ['u2', 'somebody else', false],
  ])('the way of the last purchase of %s in this browser is chosen for a guest: %s %s', async (uid, _, isChosen) => {
    offer(promptPay)
    keepLastMethod('lastPayment', uid, 'bank')
    await open(fresh)
    expect(transfer().getAttribute('aria-checked')).toBe(String(isChosen))
    expect(screen.queryByText('· ใช้ครั้งก่อน') !== null).toBe(isChosen)
  })
})

test.each([
  ['some of it pays', 61_00, undefined, true],
  ['the buyer has said that it does not', 61_00, false, false],
  ['it would take a PIN that is not set', 2000_00, undefined, false],
])('whether shop credit pays, when %s (%i satang, %s): %s', async (_, balanceSatang, usesCredit, isUsed) => {
  write('user', person)
  server.use(
    fake(getMe, () => person),
    fakeBuyer({ credit: { ...noCredit, balanceSatang } }),
  )
  await open({ ...complete, ...(usesCredit === undefined ? {} : { usesCredit }) })
  const box = screen.getByRole('checkbox', { name: /^ใช้เครดิตร้าน/ }) as HTMLInputElement
  expect(box.checked).toBe(isUsed)
})
