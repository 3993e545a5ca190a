import { getPublicConfig } from '@shop/shared/catalogue/endpoints.ts'
import { listPlayerFields, proposePlayer } from '@shop/shared/order/correction-endpoints.ts'
import { getOrder, type OrderView, trackOrder } from '@shop/shared/order/endpoints.ts'
import { listRunningOrders } from '@shop/shared/order/own-endpoints.ts'
import { giveRefundPayee } from '@shop/shared/statement/refund-endpoints.ts'
import { fake, refuse as refuseCall } from '@shop/web/testing.tsx'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { Route, Routes } from 'react-router-dom'
import { expect, test } from 'vitest'
import { game } from '../buying/testing.ts'
import { ensureGuestKey } from '../guest-key.ts'
import { InShop, refuse, shopConfig, startShopServer } from '../testing.tsx'
import OrderScreen from './order-screen.tsx'
import { order, runningOrder } from './testing.ts'
import TrackScreen from './track-screen.tsx'

const server = startShopServer()
let shown: OrderView

async function open(changed: Partial<OrderView>) {
  shown = { ...order, canReport: false, canCancel: false, ...changed }
  server.use(
    fake(getOrder, () => shown),
    fake(listPlayerFields, () => game.fields),
  )
  render(
    <InShop at={`/purchase/details/${order.orderNo}`}>
      <Routes>
        <Route path="/purchase/details/:orderNo" element={<OrderScreen />} />
      </Routes>
    </InShop>,
  )
  await screen.findByText(`คำสั่งซื้อ ${order.orderNo}`)
}

test.each([`/track/${order.trackToken}`, `/purchase/details/${order.orderNo}`])(
  'on %s the banner of another order comes with the page and not later, and its own is left out',
  async at => {
    ensureGuestKey()
    const other = { ...runningOrder, orderNo: 'KT2611-00000009' }
    const asked = Promise.withResolvers<void>()
    const known = Promise.withResolvers<void>()
    const answer = () => {
      asked.resolve()
      return order
    }
    server.use(
      fake(getOrder, answer),
      fake(trackOrder, answer),
      fake(listRunningOrders, async () => {
        await known.promise
        return { rows: [runningOrder, other], nowDate: order.nowDate }
      }),
    )
    render(
      <InShop at={at}>
        <Routes>
          <Route path="/track/:token" element={<TrackScreen />} />
          <Route path="/purchase/details/:orderNo" element={<OrderScreen />} />
        </Routes>
      </InShop>,
    )
    await asked.promise
    await new Promise(drawn => setTimeout(drawn, 50))
    expect(screen.queryByText(`คำสั่งซื้อ ${order.orderNo}`)).toBeNull()
    known.resolve()
    await screen.findByText(`คำสั่งซื้อ ${order.orderNo}`)
    const banners = screen.getAllByRole('link', { name: /^รอชำระ/ }).map(({ textContent }) => textContent)
    expect(banners).toEqual([expect.stringContaining(other.orderNo)])
  },
)

const failed: Partial<OrderView> = {
  status: 'failed',
  canCorrect: true,
  fields: [...order.fields, { name: 'field2', label: 'Server', value: 'Asia' }],
  timeline: [{ kind: 'status', to: 'failed', at: order.createdAt, reason: 'ไม่พบผู้เล่น' }],
}

test.each(['waiting_payment', 'paid', 'processing'] as const)(
  'while the shop holds still after a restore, an order that is %s says what holds',
  async status => {
    server.use(fake(getPublicConfig, () => shopConfig({}, { isHolding: true })))
    await open({ status, expected: null, transferReportedAt: order.createdAt })
    expect(await screen.findByText('ร้านหยุดเติมชั่วคราวเพื่อตรวจข้อมูล')).toBeTruthy()
    expect(screen.getByText(/คำสั่งซื้อและเงินของคุณยังอยู่ ไม่ต้องโอนซ้ำ .*ส่งข้อความ LINE และอีเมลไม่ได้/)).toBeTruthy()
    expect(screen.queryByText(/\d+ นาที|คาดว่าเสร็จ/)).toBeNull()
  },
)

test('an order that is over says nothing of it', async () => {
  server.use(fake(getPublicConfig, () => shopConfig({}, { isHolding: true })))
  await open({ status: 'success' })
  expect(screen.queryByText('ร้านหยุดเติมชั่วคราวเพื่อตรวจข้อมูล')).toBeNull()
})

test('a failed top-up is corrected: what is wrong is said, a refused one stays, a sent one is shown', async () => {
  const sent: unknown[] = []
  const answers = [
    () => refuse('SAME_PLAYER'),
    () => {
      shown = { ...shown, proposedFields: [{ name: 'field1', label: 'Player ID', value: '5999999999' }] }
      return HttpResponse.json(shown)
    },
  ]
  server.use(
    http.post(`*${proposePlayer.path.split('/:')[0]}/*`, async ({ request }) => {
      sent.push(await request.json())
      return answers[sent.length - 1]!()
    }),
  )
  await open(failed)
  const id = (await screen.findByLabelText('Player ID')) as HTMLInputElement
  expect(id.value).toBe('5123456789')
  const send = () => userEvent.click(screen.getByRole('button', { name: 'ส่งให้ทีมงานเติมใหม่' }))
  await userEvent.clear(id)
  await userEvent.type(id, '12')
  await send()
  expect(screen.getByText('กรุณากรอกตัวเลข 5–12 หลัก')).toBeTruthy()
  expect(sent).toEqual([])
  await userEvent.clear(id)
  await userEvent.type(id, '5999999999')
  await send()
  expect(await screen.findByText(/ข้อมูลผู้เล่นเหมือนเดิม/)).toBeTruthy()
  expect(id.value).toBe('5999999999')
  await send()
  expect(await screen.findByText(/ส่งให้ทีมงานแล้ว/)).toBeTruthy()
  expect(screen.getByText('5999999999')).toBeTruthy()
  expect(sent).toEqual(Array(2).fill({ playerId: '5999999999', field2: 'Asia' }))
})

test('whoever did not buy it is offered no correction', async () => {
  await open({ ...failed, canCorrect: false })
  expect(screen.queryByText('เติมใหม่ด้วยข้อมูลที่ถูกต้อง')).toBeNull()
})

test.each<[string, Partial<OrderView>, string]>([
  ['by a time of today', { addSlipBy: '2026-11-20T07:35:00.000Z' }, 'แนบสลิปภายใน 14:35 น.'],
  ['with no time', { addSlipBy: null }, 'แนบสลิป'],
])('a slip can follow a report, %s, and nothing is sent without one', async (_, limit, label) => {
  await open({ transferReportedAt: order.createdAt, canAddSlip: true, ...limit })
  expect(screen.getByText(label)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'แนบรูปสลิปก่อน' }).getAttribute('aria-disabled')).toBe('true')
})

test('what was bought comes first; contacts stand folded below, without what is missing or LINE’s inner number', async () => {
  const buyer = {
    name: 'น้ำฝน ใจดี',
    email: null,
    tel: null,
    lineId: 'U1c000000000000000000000000000001',
    hasFacebook: false,
  }
  await open({ status: 'paid', buyer })
  const facts = screen.getByRole('region', { name: 'รายละเอียด' })
  for (const text of ['PUBG Mobile · 325 UC', '5123456789', 'โอนเงิน กสิกรไทย', 'น้ำฝน ใจดี', 'เชื่อมบัญชีแล้ว'])
    expect(within(facts).getByText(text)).toBeTruthy()
  expect(screen.queryByText(/U1c0/)).toBeNull()
  for (const label of ['อีเมล', 'โทรศัพท์', 'Facebook']) expect(within(facts).queryByText(label)).toBeNull()
  expect(within(facts).getByText('รายละเอียดเพิ่มเติม').closest('details')?.open).toBe(false)
})

test('an order that waits says how many stand before it and when it is expected', async () => {
  const expected = { from: '2026-11-20T07:15:00.000Z', to: '2026-11-20T07:25:00.000Z' }
  await open({
    status: 'paid',
    ahead: 2,
    expected,
    timeline: [{ kind: 'status', to: 'paid', at: order.createdAt, reason: null }],
  })
  expect(screen.getByText(/อีก 2 คิวก่อนหน้า · คาดว่าเสร็จ 14:15–14:25/)).toBeTruthy()
})

test('whoever is signed out is told that the order may be their account’s', async () => {
  server.use(fake(getOrder, refuseCall('ORDER_NOT_FOUND')))
  render(
    <InShop at={`/purchase/details/${order.orderNo}`}>
      <Routes>
        <Route path="/purchase/details/:orderNo" element={<OrderScreen />} />
      </Routes>
    </InShop>,
  )
  expect(await screen.findByText(/เข้าสู่ระบบเพื่อดูคำสั่งซื้อนี้/)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'เข้าสู่ระบบ' }).getAttribute('href')).toBe('/login')
})

const refunding: Partial<OrderView> = {
  status: 'refunding',
  canGivePayee: true,
  refunds: [
    {
      amountSatang: 149_37,
      payee: null,
      payeeAt: null,
      payer: null,
      payeeFit: null,
      asCredit: false,
      sentAt: null,
      slipId: null,
    },
  ],
  timeline: [{ kind: 'status', to: 'refunding', at: order.createdAt, reason: null }],
}

test('money that is owed asks its buyer for an account, checks it, and shows it in short', async () => {
  const sent: unknown[] = []
  server.use(
    fake(giveRefundPayee, body => {
      sent.push(body)
      const payee = { bankCode: '004', end: '6789' }
      shown = { ...shown, refunds: [{ ...shown.refunds[0]!, payee, payeeAt: order.createdAt }] }
      return shown
    }),
  )
  await open(refunding)
  const place = await screen.findByLabelText('รับเงินทาง')
  const send = () => userEvent.click(screen.getByRole('button', { name: 'แจ้งบัญชีรับเงินคืน' }))
  await send()
  await screen.findByText('กรุณาเลือกธนาคารหรือพร้อมเพย์')
  await userEvent.selectOptions(place, 'กสิกรไทย')
  await userEvent.type(screen.getByLabelText('เลขที่บัญชี'), '123')
  await userEvent.type(screen.getByLabelText('ชื่อบัญชี'), 'ใจดี มีสุข')
  await send()
  await screen.findByText('เลขที่บัญชีต้องเป็นตัวเลข 10–15 หลัก')
  expect(sent).toEqual([])
  await userEvent.clear(screen.getByLabelText('เลขที่บัญชี'))
  await userEvent.type(screen.getByLabelText('เลขที่บัญชี'), '405-1-23678-9')
  await send()
  await screen.findByText('กสิกรไทย x6789')
  expect(sent).toEqual([{ bankCode: '004', accountNo: '405-1-23678-9', accountName: 'ใจดี มีสุข' }])
  expect(screen.queryByLabelText('เลขที่บัญชี')).toBeNull()
})

test('a guest is offered to sign in for it, and may still name an account', async () => {
  await open({ ...refunding, canTakeCredit: true })
  const link = await screen.findByRole('link', { name: 'เข้าสู่ระบบด้วย LINE เพื่อรับเครดิตทันที' })
  expect(link.getAttribute('href')).toBe('/login')
  expect(await screen.findByLabelText('รับเงินทาง')).toBeTruthy()
})

test('whoever has only the link is told where the account can be named; what was sent says when and where', async () => {
  await open({ ...refunding, canGivePayee: false })
  await screen.findByText(/เปิดหน้านี้ด้วยบัญชีหรือเครื่องที่สั่งซื้อ/)
  expect(screen.queryByLabelText('รับเงินทาง')).toBeNull()
})

test('what was sent says how much, when and where to', async () => {
  const payee = { bankCode: null, end: '5678' }
  const sent = { ...refunding.refunds![0]!, payee, sentAt: '2026-11-20T08:00:00.000Z' }
  await open({ ...refunding, status: 'refunded', canGivePayee: false, refunds: [sent] })
  await screen.findByText('พร้อมเพย์ x5678')
  screen.getByText('20 พ.ย. · 15:00 น.')
})
