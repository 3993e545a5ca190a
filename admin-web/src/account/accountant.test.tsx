import { getUser } from '@shop/shared/account/endpoints.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import { getStatementLine, listStatementLines } from '@shop/shared/statement/endpoints.ts'
import { listWaitingFiles } from '@shop/shared/statement/import-endpoints.ts'
import { listOwedRefunds } from '@shop/shared/statement/refund-endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { NOW, ORDER_NO, order } from '../testing/order.ts'
import { renderSite, server, staff } from '../testing/site.tsx'
import { candidateOf, DAY, detailsOf, fakeAccounts, lineOf } from '../testing/statement.ts'

/** Whoever only keeps the books is offered nothing that the server would refuse them. */
const accountant = { ...staff, uid: 'u-accountant', displayName: 'สุดา ฝ่ายบัญชี', role: 'accountant' as const }
const MAIN = () => within(screen.getByRole('main'))
const buttons = () =>
  MAIN()
    .queryAllByRole('button')
    .map(button => button.getAttribute('aria-label') ?? button.textContent)

function openLine(details: ReturnType<typeof detailsOf>) {
  const row = details.line
  server.use(
    fakeAccounts(),
    fake(listStatementLines, () => ({
      rows: [row],
      total: 1,
      nowDate: NOW,
      summary: { moneyIn: 1, decided: 0, byItself: 0, inSatang: 0 },
      sources: [row.source],
    })),
    fake(getStatementLine, () => details),
  )
  renderSite({ path: `/management/bankstatement?account=7&from=${DAY}&to=${DAY}&line=${row.id}`, me: accountant })
  server.use(
    fake(listWaitingFiles, () => [
      {
        id: row.id,
        receivingAccountId: 7,
        fileName: 'kbank.csv',
        fromDay: DAY,
        toDay: DAY,
        importedAt: NOW,
        givenByName: 'วิภา จัดการ',
        inSatang: 27_900,
        lines: 1,
        orders: 1,
        whyNot: null,
      },
    ]),
  )
}

test('of an open line: what it may be the money of, and no way to decide, import or confirm anything', async () => {
  openLine(detailsOf(lineOf(1, { chain: 'gap' }), [candidateOf(1), candidateOf(2)], null, 'ขาดรายการก่อนหน้า'))
  const panel = within(await screen.findByRole('complementary', { name: 'รายการที่เลือก' }))
  const shown = await panel.findByRole('listitem', { name: /KT2611-00004801/ })
  expect(within(shown).getByRole('link').getAttribute('href')).toBe('/management/details/KT2611-00004801')
  expect(panel.queryAllByRole('button').map(button => button.getAttribute('aria-label'))).toEqual(['ปิดรายการที่เลือก'])
  await screen.findByText('ไฟล์ kbank.csv รอคนที่สองยืนยัน')
  for (const name of [/นำเข้า/, /ยืนยัน/, /ค้นหาเอง/, /เลือก KT/, /จับคู่รายการนี้/])
    expect([name, MAIN().queryByRole('button', { name })]).toEqual([name, null])
})

test('of a matched line: the order behind it, a top-up by its number alone, and no undoing', async () => {
  const target = { kind: 'topUp' as const, id: lineOf(3).id, no: 'TU2611-00000007' }
  openLine(detailsOf(lineOf(1, { state: 'matched', target, decidedByName: 'วิภา', decidedAt: NOW })))
  const outcome = within(await screen.findByRole('region', { name: 'ผลการจับคู่' }))
  outcome.getByText('TU2611-00000007')
  expect(outcome.queryByRole('link')).toBeNull()
  expect(outcome.queryByRole('button')).toBeNull()
})

test('what is owed to whom, without the column for sending it', async () => {
  server.use(
    fakeAccounts(),
    fake(listOwedRefunds, () => ({
      rows: [
        {
          id: lineOf(1).id,
          amountSatang: 14_900,
          reason: 'ลูกค้ายกเลิก',
          createdAt: NOW,
          orderNo: ORDER_NO,
          lineId: null,
          payer: { bankCode: '004', account: 'x1234', name: null },
          person: { name: 'ใจดี', email: null, phone: null },
          sent: null,
          payee: null,
          payeeEnd: null,
          payeeVersion: 0,
          payeeAt: null,
          payeeByName: null,
          payeeFit: null,
          payeeReason: null,
          payeeAgreed: null,
          payeeOthers: 0,
          paidSlipId: null,
          asCredit: false,
          fromCredit: false,
        },
      ],
      total: 1,
      owedSatang: 14_900,
      nowDate: NOW,
    })),
  )
  renderSite({ path: '/management/refund', me: accountant })
  const link = await screen.findByRole('link', { name: ORDER_NO })
  expect(link.getAttribute('href')).toBe(`/management/details/${ORDER_NO}`)
  expect(MAIN().queryByRole('button', { name: /โอนคืนแล้ว/ })).toBeNull()
  expect(MAIN().queryByText('จัดการ')).toBeNull()
})

test('an order is shown with nothing to do on it, and no way back to lists that are not theirs', async () => {
  const hold = { heldByName: 'มานี', file: null, whyNot: 'ต้องให้ผู้จัดการยืนยัน' }
  const fields = order.fields.map(field => ({ ...field, value: '51******89' }))
  server.use(fake(getOrderForStaff, () => ({ ...order, fields, commands: [], canRedo: false, hold })))
  renderSite({ path: `/management/details/${ORDER_NO}`, me: accountant })
  await screen.findByText('51******89')
  expect(buttons()).toEqual([])
})

test('their own page opens, with the second factor and no list to go back to', async () => {
  server.use(fake(getUser, () => accountant))
  renderSite({ path: '/user/u-accountant', me: accountant })
  await screen.findByText('แอปยืนยันตัวตน')
  expect(screen.queryByRole('button', { name: 'กลับไปรายการผู้ใช้งาน' })).toBeNull()
})
