import { acceptTerms, getMe } from '@shop/shared/account/endpoints.ts'
import { confirmCredit } from '@shop/shared/credit/endpoints.ts'
import { confirmPrice } from '@shop/shared/order/endpoints.ts'
import { getTerms } from '@shop/shared/settings/endpoints.ts'
import { listSoonestExpiries } from '@shop/shared/voucher/expiry-endpoints.ts'
import { fake, person, refuse } from '@shop/web/testing.tsx'
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { Link, Route, Routes, useNavigate } from 'react-router-dom'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { getPathAfterSignIn } from '../account/way-back.ts'
import { getCurrentOrder, saveCurrentOrder } from '../current-order.ts'
import { getAcceptedTerms, getDraft, saveAcceptedTerms, saveDraft } from '../draft.ts'
import { order } from '../orders/testing.ts'
import { write } from '../storage.ts'
import { createTestQueries, fakeBuyer, InShop, noCredit, startShopServer } from '../testing.tsx'
import TermsScreen from './terms-screen.tsx'
import { chosen, draft, fakeOffer, terms } from './testing.ts'

vi.mock('../firebase.ts', () => ({
  onUser: (hear: (uid: string) => void) => hear('u1'),
  getToken: async () => 'token',
  signOut: async () => undefined,
}))
const server = startShopServer()
const renewed = { ...terms, version: '2', body: 'ข้อใหม่ของร้าน' }
let [inForce, sold, priceSatang] = [terms, chosen, chosen.priceSatang]
beforeEach(() => {
  ;[inForce, priceSatang, sold] = [terms, chosen.priceSatang, chosen]
  saveDraft(draft)
  server.use(
    fakeOffer(() => ({ packages: [{ ...sold, priceSatang }] })),
    fake(getTerms, () => inForce),
    fake(acceptTerms, () => ({ version: inForce.version, acceptedAt: terms.publishedAt })),
  )
})

const box = () => screen.getByRole('checkbox') as HTMLInputElement
const isTicked = () => box().checked
const goOn = () => userEvent.click(screen.getByRole('button', { name: 'ยืนยัน รับยอดโอน' }))

function Back() {
  const navigate = useNavigate()
  return (
    <button type="button" onClick={() => navigate(-1)}>
      ถอย
    </button>
  )
}

async function open() {
  const queries = createTestQueries()
  render(
    <InShop queries={queries}>
      <TermsScreen />
    </InShop>,
  )
  await screen.findByText(/^ยอมรับเงื่อนไขการให้บริการ/)
  /** What the page reads is read again, as after a change of the catalogue. */
  return () => act(() => queries.invalidateQueries())
}

test.each([
  ['all of it', 149_00, 'ยืนยันการสั่งซื้อ', confirmCredit.path, undefined],
  ['a part of it', 100_00, 'ยืนยัน รับยอดโอน', confirmPrice.path, 100_00],
])('shop credit pays %s', async (_, balanceSatang, button, path, creditSatang) => {
  const sent: unknown[] = []
  server.use(
    fake(getMe, () => person),
    fakeBuyer({ credit: { ...noCredit, balanceSatang } }),
    http.post(`*${path}`, async ({ request }) => {
      sent.push(((await request.json()) as { creditSatang?: number }).creditSatang)
      return HttpResponse.json(order)
    }),
  )
  write('user', person)
  saveDraft({ ...draft, usesCredit: true })
  await open()
  expect(screen.getByText(`−฿${balanceSatang / 100}.00`)).toBeTruthy()
  await userEvent.click(box())
  await userEvent.click(screen.getByRole('button', { name: button }))
  await waitFor(() => expect(sent).toEqual([creditSatang]))
})

test('a lot of credit asks for the PIN, and leads to setting the first one', async () => {
  server.use(
    fake(getMe, () => person),
    fakeBuyer({ credit: { ...noCredit, balanceSatang: 149_00, pinAboveSatang: 100_00, withoutPinSatang: 100_00 } }),
  )
  write('user', person)
  saveDraft({ ...draft, usesCredit: true })
  await open()
  await userEvent.click(box())
  await userEvent.click(screen.getByRole('button', { name: 'ยืนยันการสั่งซื้อ' }))
  expect((await screen.findByRole('link', { name: 'ตั้ง PIN' })).getAttribute('href')).toBe('/user/u1?panel=pin')
})

test('the full text is the one in force, with its version', async () => {
  await open()
  await userEvent.click(screen.getByRole('button', { name: 'อ่านเงื่อนไขการให้บริการทั้งหมด' }))
  expect(await screen.findByRole('heading', { name: 'การเติมเกม' })).toBeTruthy()
  expect(screen.getByText('โอนให้ตรงทุกสตางค์')).toBeTruthy()
  expect(screen.getByText('ฉบับที่ 1 วันที่ 20/11/2026')).toBeTruthy()
})

test('terms that can not be loaded are tried again in place of the page', async () => {
  server.use(fake(getTerms, refuse('INTERNAL')))
  render(<TermsScreen />, { wrapper: InShop })
  await screen.findByText('ไม่สามารถโหลดเงื่อนไขได้ กรุณาลองอีกครั้ง')
  server.use(fake(getTerms, () => terms))
  await userEvent.click(screen.getByRole('button', { name: 'ลองอีกครั้ง' }))
  expect(await screen.findByText(/^ยอมรับเงื่อนไขการให้บริการ/)).toBeTruthy()
})

test('a tick kept over a sign-in counts for the version it was made for, and no other', async () => {
  saveAcceptedTerms('1')
  await open()
  expect(isTicked()).toBe(true)
})

test('terms accepted before a new version came need the tick again, and the page says why', async () => {
  saveAcceptedTerms('1')
  inForce = renewed
  await open()
  expect(isTicked()).toBe(false)
  expect(screen.getByText(/เงื่อนไขการให้บริการมีการเปลี่ยนแปลง/)).toBeTruthy()
})

test('terms that change on the open page clear the tick and nothing else', async () => {
  const readAgain = await open()
  await userEvent.click(box())
  inForce = renewed
  await readAgain()
  await waitFor(() => expect(isTicked()).toBe(false))
  expect(screen.getByText(/เงื่อนไขการให้บริการมีการเปลี่ยนแปลง/)).toBeTruthy()
  expect(getDraft()).toEqual(draft)
})

test('a refused version shows the new terms; they are sent once they are accepted', async () => {
  const sent: string[] = []
  server.use(
    http.post(`*${confirmPrice.path}`, async ({ request }) => {
      sent.push(((await request.json()) as { termsVersion: string }).termsVersion)
      inForce = renewed
      return sent.length === 1
        ? HttpResponse.json({ code: 'TERMS_CHANGED' }, { status: 409 })
        : HttpResponse.json(order)
    }),
  )
  await open()
  await userEvent.click(box())
  await goOn()
  expect(await screen.findByText('ข้อใหม่ของร้าน')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'ปิด' }))
  await waitFor(() => expect(isTicked()).toBe(false))
  await userEvent.click(box())
  await goOn()
  await waitFor(() => expect(screen.getByLabelText('ที่อยู่').textContent).toBe('/payment'))
  expect(sent).toEqual(['1', '2'])
})

describe('a package with a warning', () => {
  const [FIRST, NEXT] = ['ใช้ได้กับบัญชีไทยเท่านั้น', 'ใช้ได้กับบัญชีไทยและลาว']
  const warningBox = () => screen.getByRole('checkbox', { name: 'ฉันอ่านและเข้าใจข้อควรรู้นี้แล้ว' }) as HTMLInputElement
  const termsBox = () => screen.getByRole('checkbox', { name: /^ยอมรับเงื่อนไข/ })
  beforeEach(() => {
    sold = { ...chosen, warning: FIRST }
  })

  test('shows it whole and is bought only once it is ticked; its words are sent', async () => {
    const sent: unknown[] = []
    server.use(
      http.post(`*${confirmPrice.path}`, async ({ request }) => {
        sent.push(((await request.json()) as { acceptedWarning?: string }).acceptedWarning)
        return HttpResponse.json(order)
      }),
    )
    await open()
    expect(screen.getByText(FIRST)).toBeTruthy()
    await userEvent.click(termsBox())
    await userEvent.click(screen.getByRole('button', { name: 'อ่านและยอมรับข้อควรรู้ก่อน' }))
    expect(document.activeElement).toBe(warningBox())
    await userEvent.click(warningBox())
    await goOn()
    await waitFor(() => expect(sent).toEqual([FIRST]))
  })

  test('asks again when it changed, and says why', async () => {
    server.use(
      http.post(`*${confirmPrice.path}`, () => {
        sold = { ...chosen, warning: NEXT }
        return HttpResponse.json({ code: 'WARNING_NOT_ACCEPTED', details: { warning: NEXT } }, { status: 409 })
      }),
    )
    await open()
    await userEvent.click(warningBox())
    await userEvent.click(termsBox())
    await goOn()
    expect(await screen.findByText(NEXT)).toBeTruthy()
    expect(warningBox().checked).toBe(false)
    expect(screen.getByText(/กรุณาอ่านและยอมรับข้อควรรู้/)).toBeTruthy()
  })

  test('a tick survives the sign-in that the purchase waited for, like the terms', async () => {
    saveDraft({ ...draft, acceptedWarning: FIRST })
    saveAcceptedTerms('1')
    server.use(http.post(`*${confirmPrice.path}`, () => HttpResponse.json(order)))
    render(
      <InShop at={{ pathname: '/terms', state: { goesOn: true } }}>
        <TermsScreen />
      </InShop>,
    )
    await waitFor(() => expect(screen.getByLabelText('ที่อยู่').textContent).toBe('/payment'))
  })
})

test('a package that is sold out meanwhile is not ordered', async () => {
  sold = { ...chosen, isOut: true }
  render(<TermsScreen />, { wrapper: InShop })
  expect(await screen.findByText('สินค้านี้หมดชั่วคราว กรุณาเลือกแพ็กเกจใหม่')).toBeTruthy()
  expect(screen.queryByRole('checkbox')).toBeNull()
})

test('of a code it is told when it may expire', async () => {
  server.use(fake(listSoonestExpiries, () => [{ packageId: chosen.id, soonestExpiry: '2026-12-18' }]))
  sold = { ...chosen, delivers: 'code' }
  await open()
  expect(screen.getByText('รหัสที่ได้หมดอายุเร็วสุด 18/12/2026')).toBeTruthy()
})

test.each([
  [{ playerName: 'Namkhao_TH' }, 'Namkhao_TH'],
  [{ playerName: null, playerCheck: 'nameless' as const }, 'พบผู้เล่นนี้ในเกม'],
  [{ playerName: null, playerCheck: 'away' as const }, /^ตรวจชื่อไม่ได้ชั่วคราว/],
  [{ playerName: null }, /^ยังไม่ได้ตรวจชื่อ/],
])('beside the player id stands whom the order is for: %o', async (found, text) => {
  saveDraft({ ...draft, ...found })
  await open()
  expect(screen.getByText(text)).toBeTruthy()
})

test('a price that changes on the open page is told, and going on orders at the price that is shown', async () => {
  server.use(http.post(`*${confirmPrice.path}`, () => HttpResponse.json(order)))
  const readAgain = await open()
  priceSatang = 159_00
  await readAgain()
  expect(await screen.findByText(/ราคาเปลี่ยนเป็น ฿159.00 แล้ว/)).toBeTruthy()
  await userEvent.click(box())
  await goOn()
  await waitFor(() => expect(screen.getByLabelText('ที่อยู่').textContent).toBe('/payment'))
})

test('a guest whose network has ordered enough is led to the sign-in, with everything chosen and accepted kept', async () => {
  server.use(fake(confirmPrice, refuse('GUEST_LIMIT_REACHED')))
  await open()
  await userEvent.click(box())
  await goOn()
  expect(await screen.findByText(/เข้าสู่ระบบด้วย LINE .* เพื่อสั่งซื้อต่อได้ทันที/)).toBeTruthy()
  await userEvent.click(screen.getByRole('link', { name: 'เข้าสู่ระบบ' }))
  expect(screen.getByLabelText('ที่อยู่').textContent).toBe('/login')
  expect([getDraft(), getAcceptedTerms(), getPathAfterSignIn()]).toEqual([draft, '1', '/payment'])
})

describe('back from the sign-in that the purchase waited for', () => {
  const comeBack = () =>
    render(
      <InShop at={{ pathname: '/terms', state: { goesOn: true } }}>
        <TermsScreen />
      </InShop>,
    )
  const orders: string[] = []
  beforeEach(() => {
    orders.length = 0
    server.use(
      http.post(`*${confirmPrice.path}`, ({ request }) => {
        orders.push(request.headers.get('idempotency-key')!)
        return HttpResponse.json(order)
      }),
    )
  })

  test('the order is made without another press, once', async () => {
    saveAcceptedTerms('1')
    comeBack()
    await waitFor(() => expect(screen.getByLabelText('ที่อยู่').textContent).toBe('/payment'))
    expect(orders).toHaveLength(1)
  })

  test('an order made before stays out of it', async () => {
    saveCurrentOrder({ orderNo: 'KT2610-00000001' })
    saveAcceptedTerms('1')
    server.use(
      http.post(`*${confirmPrice.path}`, () => HttpResponse.json({ code: 'TOO_MANY_UNPAID' }, { status: 429 })),
    )
    comeBack()
    await screen.findByText(/ทำรายการบ่อยเกินไป/)
    await waitFor(() => expect(screen.getByLabelText('ที่อยู่').textContent).toBe('/terms'))
    expect([getCurrentOrder(), getDraft()]).toEqual([null, expect.objectContaining({ package: draft.package })])
  })

  test('terms that changed meanwhile are read and ticked first', async () => {
    saveAcceptedTerms('1')
    inForce = renewed
    comeBack()
    await screen.findByText(/เงื่อนไขการให้บริการมีการเปลี่ยนแปลง/)
    expect([isTicked(), orders]).toEqual([false, []])
  })

  test('a price that changed meanwhile is told first', async () => {
    saveAcceptedTerms('1')
    priceSatang = 159_00
    comeBack()
    await screen.findByText(/ราคาเปลี่ยนเป็น ฿159.00 แล้ว/)
    expect(orders).toEqual([])
  })
})

describe('signed-in people', () => {
  beforeEach(() => {
    write('user', person)
    server.use(fake(getMe, () => person))
  })

  test('are asked to accept each version once', async () => {
    write('toldTerms', 'u1 1')
    server.use(http.post(`*${confirmPrice.path}`, () => HttpResponse.json(order)))
    render(<TermsScreen />, { wrapper: InShop })
    await screen.findByText('เงื่อนไขสำคัญ')
    expect(screen.queryByRole('checkbox')).toBeNull()
    await goOn()
    await waitFor(() => expect(screen.getByLabelText('ที่อยู่').textContent).toBe('/payment'))
  })

  test.each([
    ['the version in force', '1', false],
    ['an earlier version', '0', true],
  ])('who accepted %s on another device is asked again: %s %s', async (_, version, isAsked) => {
    server.use(fakeBuyer({ acceptedTerms: version }))
    render(<TermsScreen />, { wrapper: InShop })
    await screen.findByText('เงื่อนไขสำคัญ')
    expect(screen.queryByRole('checkbox') !== null).toBe(isAsked)
  })

  test.each(['u1 0', 'u2 1', 'guest 1'])('are asked although this browser has told of %s', async told => {
    write('toldTerms', told)
    await open()
    expect(isTicked()).toBe(false)
  })
})

test.each([
  ['guest 1', false],
  ['guest 0', true],
  ['u1 1', true],
])('a guest in whose browser was told of %s is asked to accept the terms: %s', async (told, isAsked) => {
  write('toldTerms', told)
  render(<TermsScreen />, { wrapper: InShop })
  await screen.findByText('เงื่อนไขสำคัญ')
  expect(screen.queryByRole('checkbox') !== null).toBe(isAsked)
})

test.each([
  ['from the form', true],
  ['from elsewhere', false],
])('who comes %s and wants to change something finds the form once in the history', async (_, isFromForm) => {
  render(
    <InShop at="/before">
      <Routes>
        <Route path="/before" element={<Link to={isFromForm ? '/game/pubg' : '/terms'}>ไป</Link>} />
        <Route
          path="/game/pubg"
          element={
            <Link to="/terms" state={{ isFromForm: true }}>
              ต่อ
            </Link>
          }
        />
        <Route path="/terms" element={<TermsScreen />} />
      </Routes>
      <Back />
    </InShop>,
  )
  await userEvent.click(screen.getByText('ไป'))
  if (isFromForm) await userEvent.click(screen.getByText('ต่อ'))
  await userEvent.click(await screen.findByRole('link', { name: 'ย้อนกลับไปแก้ไข' }))
  await screen.findByText('ต่อ')
  await userEvent.click(screen.getByText('ถอย'))
  expect(screen.getByLabelText('ที่อยู่').textContent).toBe('/before')
})
