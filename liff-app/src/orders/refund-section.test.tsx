import { getMe } from '@shop/shared/account/endpoints.ts'
import { takeRefundAsCredit } from '@shop/shared/credit/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { giveRefundPayee, refundToPayer } from '@shop/shared/statement/refund-endpoints.ts'
import { fake, person } from '@shop/web/testing.tsx'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, test, vi } from 'vitest'
import { write } from '../storage.ts'
import { InShop, startShopServer } from '../testing.tsx'
import { RefundSection } from './refund-section.tsx'
import { order } from './testing.ts'

vi.mock('../firebase.ts', () => ({
  onUser: (hear: (uid: string) => void) => hear('u1'),
  getToken: async () => 'token',
  signOut: async () => undefined,
}))
const server = startShopServer()
const owed: OrderView = {
  ...order,
  status: 'refunding',
  canGivePayee: true,
  canTakeCredit: true,
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
}

test('who is signed in takes what is owed as shop credit, once', async () => {
  let changed = 0
  const keys: (string | null)[] = []
  server.use(
    fake(getMe, () => person),
    http.post(`*${takeRefundAsCredit.path.replace(':orderNo', order.orderNo)}`, ({ request }) => {
      keys.push(request.headers.get('idempotency-key'))
      if (keys.length === 1) return HttpResponse.error()
      const done = { ...owed.refunds[0]!, asCredit: true, sentAt: order.createdAt }
      return HttpResponse.json({ ...owed, refunds: [done] })
    }),
  )
  write('user', person)
  render(
    <InShop>
      <RefundSection order={owed} onChanged={() => void changed++} />
    </InShop>,
  )
  await screen.findByText('รับเป็นเครดิตร้าน ได้ทันที')
  // The transfer is a second thought for whoever may have it at once.
  expect(screen.queryByLabelText('รับเงินทาง')).toBeNull()
  const take = () => userEvent.click(screen.getByRole('button', { name: 'รับเป็นเครดิตร้าน' }))
  await take()
  expect((await screen.findAllByRole('alert')).length).toBeGreaterThan(0)
  await take()
  await screen.findByText(/เป็นเครดิตร้านแล้ว$/)
  expect(keys).toHaveLength(2)
  expect(keys[0]).toBe(keys[1])
  expect(changed).toBe(1)
})

test('the account that paid comes first; what the bank hides is typed, and another account takes a reason', async () => {
  const payer = { bankCode: '004', account: 'x1234', name: 'นาย สมชาย ใ***', wants: { number: true, name: false } }
  const asked: OrderView = { ...owed, canTakeCredit: false, refunds: [{ ...owed.refunds[0]!, payer }] }
  const sent: unknown[] = []
  server.use(
    fake(refundToPayer, body => {
      sent.push(body)
      if (sent.length === 1) throw new AppError('PAYER_NUMBER_DIFFERS')
      return asked
    }),
    fake(giveRefundPayee, body => {
      sent.push(body)
      return asked
    }),
  )
  render(
    <InShop>
      <RefundSection order={asked} onChanged={() => {}} />
    </InShop>,
  )
  const back = await screen.findByRole('form', { name: 'คืนเข้าบัญชีที่โอนมา' }, { timeout: 5000 })
  expect(back.textContent).toContain('กสิกรไทย x1234')
  const press = () => userEvent.click(screen.getByRole('button', { name: 'คืนเข้าบัญชีนี้' }))
  await press()
  await screen.findByText('กรุณากรอกเลขที่บัญชี')
  await userEvent.type(screen.getByLabelText('เลขที่บัญชีเต็ม'), '4051231234')
  await press()
  await screen.findByText(/ไม่ตรงกับบัญชีที่โอนมา/)
  await userEvent.click(screen.getByRole('button', { name: 'รับเข้าบัญชีอื่น' }))
  await userEvent.selectOptions(await screen.findByLabelText('รับเงินทาง', {}, { timeout: 5000 }), 'ไทยพาณิชย์')
  await userEvent.type(screen.getByLabelText('เลขที่บัญชี'), '9870004567')
  await userEvent.type(screen.getByLabelText('ชื่อบัญชี'), 'มานะ อดทน')
  const give = () => userEvent.click(screen.getByRole('button', { name: 'แจ้งบัญชีรับเงินคืน' }))
  await give()
  await screen.findByText('กรุณาบอกเหตุผล')
  await userEvent.type(screen.getByLabelText('เหตุผลที่ไม่รับเข้าบัญชีเดิม'), 'บัญชีเดิมปิด')
  await give()
  await screen.findByText('ร้านได้รับบัญชีรับเงินคืนแล้ว')
  const other = { bankCode: '014', accountNo: '9870004567', accountName: 'มานะ อดทน', reason: 'บัญชีเดิมปิด' }
  expect(sent).toEqual([{ accountNo: '4051231234' }, other])
})
