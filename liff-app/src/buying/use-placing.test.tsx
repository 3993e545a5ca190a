import { acceptTerms } from '@shop/shared/account/endpoints.ts'
import type { Game, GamePackage } from '@shop/shared/catalogue/endpoints.ts'
import { confirmCredit } from '@shop/shared/credit/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { confirmOrder, confirmPrice, getOrder } from '@shop/shared/order/endpoints.ts'
import { getTerms } from '@shop/shared/settings/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { useQuery } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { getCurrentOrder } from '../current-order.ts'
import { createDraft, type Draft, getDraft, saveDraft } from '../draft.ts'
import { order } from '../orders/testing.ts'
import { lastMethodOf } from '../settings/method-choice.ts'
import { TERMS_QUERY } from '../settings/terms.ts'
import { createTestQueries, fakeBuyer, InShop, noCredit, refuse } from '../testing.tsx'
import { agent, findAlert, startWalletServer, wallet } from '../wallet/testing.ts'
import { PlacingNotice } from './placing-notice.tsx'
import { PlacingSheets } from './placing-sheets.tsx'
import { chosen as forTransfer, terms, draft as transfer } from './testing.ts'
import { useBuyer } from './use-buyer.ts'
import type { GameOffer } from './use-offer.ts'
import { usePlacing } from './use-placing.ts'

vi.mock('../firebase.ts', () => ({
  onUser: (hear: (uid: string) => void) => hear('u1'),
  getToken: async () => 'token',
  signOut: async () => undefined,
}))
const server = startWalletServer()

const chosen: GamePackage = {
  id: 7,
  gameId: 3,
  gameCode: 'rov',
  name: '230 คูปอง',
  desc: '',
  priceSatang: 97_00,
  discountSatang: 10_00,
  payment: 'wallet',
  delivers: 'top_up',
  warning: '',
  isOut: false,
}
const draft: Draft = {
  ...createDraft('rov'),
  playerId: '5123456789',
  paymentMethod: 'wallet',
  package: 7,
  actualPrice: 87_00,
  quantity: 3,
}
const account = { ...order.receivingAccount!, id: 2, bankName: 'ไทยพาณิชย์' }
const fields: Game['fields'] = [{ name: 'field1', label: 'Player ID', format: null }]
const offer = { game: { name: 'RoV', fields }, accounts: [account] } as unknown as GameOffer

function Page({ first = draft, goods = chosen }: { first?: Draft; goods?: GamePackage }) {
  const [current, setCurrent] = useState(first)
  const buyer = useBuyer(current.gameCode)
  const selection = { draft: current, chosen: goods, offer, terms: useQuery(TERMS_QUERY).data ?? terms }
  const change = (next: Draft) => {
    setCurrent(next)
    saveDraft(next)
  }
  const placing = usePlacing({ ...selection, buyer, onChange: change })
  return (
    <>
      <PlacingNotice error={placing.error} newPriceSatang={placing.newPriceSatang} back="/game/rov" />
      <button type="button" onClick={placing.start}>
        {placing.confirmLabel}
      </button>
      <PlacingSheets placing={placing} {...selection} />
    </>
  )
}

interface Sent {
  key: string | null
  body: Record<string, unknown>
}

function answerOrders(...answers: (() => Response | Promise<Response>)[]): Sent[] {
  const sent: Sent[] = []
  const keep = async ({ request }: { request: Request }) => {
    sent.push({ key: request.headers.get('idempotency-key'), body: (await request.json()) as Sent['body'] })
    return answers[sent.length - 1]!()
  }
  server.use(
    fake(getTerms, () => terms),
    fake(acceptTerms, () => ({ version: '1', acceptedAt: terms.publishedAt })),
    http.post(`*${confirmOrder.path}`, keep),
    http.post(`*${confirmPrice.path}`, keep),
  )
  return sent
}
const accept = () => HttpResponse.json({ orderNo: 'KT2611-00000001', playerName: null })

const confirm = () => userEvent.click(screen.getByRole('button', { name: 'ยืนยันการสั่งซื้อ' }))
async function openPin() {
  render(<Page />, { wrapper: InShop })
  await confirm()
  await screen.findByRole('dialog', { name: 'ยืนยันการเติมเงิน' })
}
const typePin = async (pin: string) => {
  for (const digit of pin) await userEvent.click(screen.getByRole('button', { name: digit }))
}
const path = () => screen.getByLabelText('ที่อยู่').textContent

test('the sheet says what, for whom, how much and what is left; the right PIN leads to the thanks', async () => {
  const sent = answerOrders(accept)
  await openPin()
  expect(screen.getByText('RoV · 230 คูปอง × 3')).toBeTruthy()
  expect(screen.getByText('5123456789')).toBeTruthy()
  expect(screen.getByText('261 บาท')).toBeTruthy()
  expect(screen.getByText('4,024 บาท')).toBeTruthy()
  await typePin('1234')
  await waitFor(() => expect(path()).toBe('/thankyou'))
  expect(getCurrentOrder()).toEqual({ orderNo: 'KT2611-00000001' })
  expect(sent).toHaveLength(1)
  expect(sent[0]!.body).toMatchObject({ gameId: 3, packageId: 7, playerId: '5123456789', quantity: 3, pin: '1234' })
})

test('a wrong PIN says how many tries are left and empties the dots', async () => {
  const sent = answerOrders(() => refuse('PIN_WRONG', { n: 4 }), accept)
  await openPin()
  await typePin('9999')
  expect(await screen.findByText('PIN ไม่ถูกต้อง เหลืออีก 4 ครั้ง')).toBeTruthy()
  await typePin('1234')
  await waitFor(() => expect(path()).toBe('/thankyou'))
  expect(sent.map(({ body }) => body.pin)).toEqual(['9999', '1234'])
})

test('a locked PIN gives the time and takes the pad away', async () => {
  answerOrders(() => refuse('PIN_LOCKED', { time: '14:27 น.' }))
  await openPin()
  await typePin('9999')
  expect(await findAlert()).toContain('ลองใหม่ได้ตั้งแต่ 14:27 น. หรือติดต่อแอดมิน')
  expect(screen.queryByRole('button', { name: '1' })).toBeNull()
})

test('a PIN that only the shop can open, or that is not readable, leads to the shop', async () => {
  answerOrders(() => refuse('PIN_NEEDS_RESET'))
  await openPin()
  await typePin('9999')
  expect(await findAlert()).toMatch(/กรุณาติดต่อร้านเพื่อตั้ง PIN ใหม่ ติดต่อแอดมิน$/)
  expect(screen.queryByRole('button', { name: '1' })).toBeNull()
})

test('a PIN that is locked already is not asked for; from when it may be typed is told as of now', async () => {
  const sent = answerOrders()
  const lock = { at: '2026-11-20T06:50:00.000Z', until: '2026-11-20T07:05:00.000Z', isHolding: true }
  const locked = { ...wallet, pin: { wrongTries: 0, wrongToday: 5, lock } }
  server.use(fakeBuyer({ wallet: locked }))
  render(<Page />, { wrapper: InShop })
  await confirm()
  expect(await findAlert()).toContain('ลองใหม่ได้ตั้งแต่ 14:05 น. หรือติดต่อแอดมิน')
  expect(screen.queryByRole('button', { name: '1' })).toBeNull()
  expect(sent).toEqual([])
})

test('after a lost connection the PIN again is the same request, even after a reload; the PIN is not kept', async () => {
  const sent = answerOrders(() => HttpResponse.error(), accept)
  await openPin()
  await typePin('1234')
  expect(await findAlert()).toContain('ระบบจะไม่ตัดเงินซ้ำ')
  const kept = JSON.parse(localStorage.getItem('placing')!)
  expect(kept.key).toBe(sent[0]!.key)
  expect(kept.request).toMatchObject({ packageId: 7, quantity: 3 })
  expect(kept.request).not.toHaveProperty('pin')
  await typePin('1234')
  await waitFor(() => expect(path()).toBe('/thankyou'))
  expect(sent[1]).toEqual(sent[0])
  expect(localStorage.getItem('placing')).toBeNull()
})

test('four more digits while it is being ordered send nothing', async () => {
  const [arrived, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const sent = answerOrders(async () => {
    arrived.resolve()
    await release.promise
    return accept()
  })
  await openPin()
  await typePin('1234')
  await arrived.promise
  await typePin('1234')
  release.resolve()
  await waitFor(() => expect(path()).toBe('/thankyou'))
  expect(sent).toHaveLength(1)
})

test('a balance that shrank meanwhile is said before a PIN is asked for', async () => {
  answerOrders()
  server.use(fakeBuyer({ wallet: { ...wallet, balanceSatang: 260_99 } }))
  render(<Page />, { wrapper: InShop })
  await confirm()
  expect(await findAlert()).toContain('ยอดเงินในกระเป๋าเงินไม่พอ กรุณาเติมเงิน')
  expect(screen.getByRole('link', { name: 'เติมเงิน' }).getAttribute('href')).toBe('/wallet')
  expect(screen.queryByRole('dialog')).toBeNull()
})

const priceChanged = (priceSatang: number) => () => {
  const error = new AppError('PRICE_CHANGED', { details: { priceSatang } })
  return HttpResponse.json(error.toBody(), { status: error.status })
}

test('a wallet pays no price that its owner did not see: the PIN is put away and the price told', async () => {
  const sent = answerOrders(priceChanged(90_00))
  await openPin()
  await typePin('1234')
  expect(await findAlert()).toContain('ราคาเปลี่ยนเป็น ฿90.00 แล้ว')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent.map(({ body }) => body.seenPriceSatang)).toEqual([87_00])
})

test('a balance that can not be read is told as that, and nothing is sent', async () => {
  const sent = answerOrders()
  server.use(
    fakeBuyer(() => {
      throw new AppError('INTERNAL')
    }),
  )
  render(<Page />, { wrapper: InShop })
  await confirm()
  expect(await findAlert()).toBe('ดึงข้อมูลไม่สำเร็จ กรุณาลองใหม่อีกครั้ง')
  expect(sent).toEqual([])
})

test('an order without an answer is told in other words than what could not be read', async () => {
  answerOrders(() => refuse('INTERNAL'))
  await goOnByTransfer()
  expect(await findAlert()).toBe('สร้างรายการไม่สำเร็จ กรุณาลองอีกครั้ง')
})

async function goOnByTransfer() {
  render(<Page first={transfer} goods={forTransfer} />, { wrapper: InShop })
  await userEvent.click(screen.getByRole('button', { name: 'ยืนยัน รับยอดโอน' }))
}

test('a transfer is ordered without a PIN and leads to the payment', async () => {
  const sent = answerOrders(() => HttpResponse.json(order))
  await goOnByTransfer()
  await waitFor(() => expect(path()).toBe('/payment'))
  expect(getCurrentOrder()).toEqual({ orderNo: order.orderNo })
  expect(sent[0]!.body).toMatchObject({ packageId: 12, receivingAccountId: 1 })
  expect(sent[0]!.body).not.toHaveProperty('pin')
  expect(['u1', null].map(uid => lastMethodOf('lastPayment', uid))).toEqual(['bank', null])
})

test.each([
  ['all of it, that it is bought', 149_00, 'ยืนยันการสั่งซื้อ', 'สั่งซื้อสำเร็จ'],
  ['a part of it, that it is still to be paid', 100_00, 'ยืนยัน รับยอดโอน', 'สร้างคำสั่งซื้อแล้ว รอชำระเงิน'],
])('who went elsewhere while shop credit paid %s is told', async (_, balanceSatang, button, words) => {
  const answer = () => {
    history.replaceState(null, '', '/game')
    return HttpResponse.json(order)
  }
  answerOrders(answer)
  server.use(
    fakeBuyer(() => ({ credit: { ...noCredit, balanceSatang } })),
    http.post(`*${confirmCredit.path}`, answer),
  )
  render(<Page first={{ ...transfer, usesCredit: true }} goods={forTransfer} />, { wrapper: InShop })
  await userEvent.click(await screen.findByRole('button', { name: button }))
  expect(await screen.findByText(words)).toBeTruthy()
  history.replaceState(null, '', '/')
})

test('the page of the payment begins with what the order was answered with', async () => {
  answerOrders(() => HttpResponse.json(order))
  const queries = createTestQueries()
  render(
    <InShop queries={queries}>
      <Page first={transfer} goods={forTransfer} />
    </InShop>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'ยืนยัน รับยอดโอน' }))
  await waitFor(() => expect(path()).toBe('/payment'))
  expect(queries.getQueryData([getOrder.path, { orderNo: order.orderNo }, {}])).toEqual(order)
})

test('who goes back while the balance is looked up is asked for no PIN', async () => {
  answerOrders()
  render(<Page />, { wrapper: InShop })
  server.use(
    fakeBuyer(() => {
      history.replaceState(null, '', '/game/pubg')
      return { wallet }
    }),
  )
  await confirm()
  await waitFor(() => expect(location.pathname).toBe('/game/pubg'))
  await waitFor(() => expect(screen.getByRole('button', { name: 'ยืนยันการสั่งซื้อ' }).ariaDisabled).not.toBe('true'))
  history.replaceState(null, '', '/')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a transfer is ordered only at the price that the customer saw', async () => {
  const sent = answerOrders(priceChanged(159_00))
  await goOnByTransfer()
  expect(await findAlert()).toContain('ราคาเปลี่ยนเป็น ฿159.00 แล้ว')
  expect([path(), sent.map(({ body }) => body.seenPriceSatang)]).toEqual(['/', [149_00]])
  expect(localStorage.getItem('placing')).toBeNull()
})

test('an account without amounts is traded for another one, and the order goes on', async () => {
  const exhausted = new AppError('ACCOUNT_AMOUNTS_EXHAUSTED', { details: { accounts: [2] } })
  const sent = answerOrders(
    () => HttpResponse.json(exhausted.toBody(), { status: exhausted.status }),
    () => HttpResponse.json(order),
  )
  await goOnByTransfer()
  await userEvent.click(await screen.findByRole('button', { name: 'โอนเข้า ไทยพาณิชย์' }))
  await waitFor(() => expect(path()).toBe('/payment'))
  expect(sent.map(({ body }) => body.receivingAccountId)).toEqual([1, 2])
  expect(sent[1]!.key).not.toBe(sent[0]!.key)
})

test('an account that proved nothing, counted as a guest, is led to where its address is verified', async () => {
  answerOrders(() => refuse('GUEST_LIMIT_REACHED'))
  await goOnByTransfer()
  expect((await screen.findByRole('link', { name: 'ยืนยันอีเมล' })).getAttribute('href')).toBe(`/user/${agent.uid}`)
})

test('a package that is no longer sold leads back to the selection', async () => {
  answerOrders(() => refuse('PACKAGE_NOT_ON_SALE'))
  await goOnByTransfer()
  await waitFor(() => expect(path()).toBe('/game/pubg'))
})

test('a price that changes while the PIN is asked for closes the sheet and is said', async () => {
  const sent = answerOrders()
  const page = render(<Page />, { wrapper: InShop })
  await confirm()
  await screen.findByRole('dialog', { name: 'ยืนยันการเติมเงิน' })
  page.rerender(<Page goods={{ ...chosen, priceSatang: 99_00 }} />)
  expect(await findAlert()).toContain('ราคาเปลี่ยนเป็น ฿89.00 แล้ว')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent).toEqual([])
})

test('the accepted terms are told to the server once, under the version that was shown', async () => {
  const told: unknown[] = []
  const sent = answerOrders(
    () => refuse('AMOUNTS_EXHAUSTED', { n: 5 }),
    () => HttpResponse.json(order),
  )
  server.use(
    fake(acceptTerms, body => {
      told.push(body)
      return { version: '1', acceptedAt: terms.publishedAt }
    }),
  )
  await goOnByTransfer()
  await findAlert()
  await userEvent.click(screen.getByRole('button', { name: 'ยืนยัน รับยอดโอน' }))
  await waitFor(() => expect(path()).toBe('/payment'))
  expect(told).toEqual([{ version: '1' }])
  expect(sent.map(({ body }) => body.termsVersion)).toEqual(['1', '1'])
})

test('an acceptance that can not be told stops no purchase', async () => {
  answerOrders(() => HttpResponse.json(order))
  server.use(http.post(`*${acceptTerms.path}`, () => HttpResponse.error()))
  await goOnByTransfer()
  await waitFor(() => expect(path()).toBe('/payment'))
})

test('terms that were replaced are shown as they are now, and nothing of the selection is lost', async () => {
  let inForce = terms
  const sent = answerOrders(
    () => {
      inForce = { ...terms, version: '2', body: 'ข้อใหม่ของร้าน' }
      return refuse('TERMS_CHANGED')
    },
    () => HttpResponse.json(order),
  )
  server.use(fake(getTerms, () => inForce))
  await goOnByTransfer()
  expect(await screen.findByText('ข้อใหม่ของร้าน')).toBeTruthy()
  expect(await findAlert()).toContain('เงื่อนไขการให้บริการมีการเปลี่ยนแปลง')
  expect(getDraft()).toEqual(transfer)
  await userEvent.keyboard('{Escape}')
  await userEvent.click(await screen.findByRole('button', { name: 'ยืนยัน รับยอดโอน' }))
  await waitFor(() => expect(path()).toBe('/payment'))
  expect(sent.map(({ body }) => body.termsVersion)).toEqual(['1', '2'])
})
