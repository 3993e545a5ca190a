import { AppError } from '@shop/shared/errors.ts'
import {
  decideStatementLine,
  getStatementLine,
  type LineDetails,
  listStatementLines,
} from '@shop/shared/statement/endpoints.ts'
import { getGatewayAccounts, listGatewayMoves } from '@shop/shared/statement/gateway-account-endpoints.ts'
import { getReconciliation, listBookedWithoutLine } from '@shop/shared/statement/refund-endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server } from '../testing/site.tsx'
import { candidateOf, DAY, detailsOf, fakeAccounts, lineOf, manager, NOW } from '../testing/statement.ts'

const line = lineOf(1, { detail: 'รับโอนจาก OMISE CO LTD', fromBank: null })
const mayBePayout = (details: LineDetails, isNamed: boolean): LineDetails => ({
  ...details,
  steps: ['match', 'bookPayout', 'ignore'],
  payers: [{ gateway: 'opn', isNamed }],
})
const paidOut = detailsOf({ ...line, version: 2, state: 'payout', decidedByName: 'มานี', decidedAt: NOW })

/** The server's side: one line, and what it answers to decisions about it. */
function openLine(details: LineDetails, decide: (body: unknown) => LineDetails) {
  let now = details
  const sent: unknown[] = []
  server.use(
    fakeAccounts(),
    fake(listStatementLines, () => ({ rows: [line], total: 1, nowDate: NOW, summary: null, sources: [] })),
    fake(getStatementLine, () => now),
    fake(decideStatementLine, body => {
      sent.push(body)
      now = decide(body)
      return now
    }),
  )
  renderSite({ path: `/management/bankstatement?line=${line.id}`, me: manager })
  return sent
}
const suggestion = async () => within(await screen.findByRole('listitem', { name: 'ยอดโอนจาก Opn Payments' }))
const openDialog = async (button: HTMLElement) => {
  fireEvent.click(button)
  const title = await screen.findByText('เป็นยอดที่ผู้ให้บริการโอนให้ร้าน?')
  return within(title.closest<HTMLElement>('[role=dialog]')!)
}

test('a line that names the gateway is suggested as its payout, before any order; the fee is asked', async () => {
  const details = mayBePayout(detailsOf(line, [candidateOf(1, { needs: 'reason', differenceSatang: 44 })]), true)
  const sent = openLine(details, () => ({ ...paidOut, payout: { gateway: 'opn', feeSatang: 3_000 } }))
  const [first] = within(await screen.findByRole('region', { name: 'คู่ที่น่าจะใช่' })).getAllByRole('listitem')
  expect(first!.getAttribute('aria-label')).toBe('ยอดโอนจาก Opn Payments')
  const dialog = await openDialog((await suggestion()).getByRole('button', { name: 'บันทึกยอดโอน…' }))
  const fee = dialog.getByLabelText('ค่าโอนที่ผู้ให้บริการหักจากยอดนี้')
  fireEvent.change(fee, { target: { value: 'x' } })
  fireEvent.click(dialog.getByRole('button', { name: 'บันทึกยอดโอน' }))
  await dialog.findByText('กรุณากรอกเป็นจำนวนเงิน')
  expect(sent).toEqual([])
  fireEvent.change(fee, { target: { value: '30' } })
  fireEvent.click(dialog.getByRole('button', { name: 'บันทึกยอดโอน' }))
  await waitFor(() => expect(sent).toEqual([{ step: 'bookPayout', version: 1, gateway: 'opn', feeSatang: 3_000 }]))
})

test('an order of the same amount is named, and the second time the person says so; more than is held is told', async () => {
  const answers = [
    new AppError('PAYOUT_ABOVE_HELD', { values: { held: '10.00' } }),
    new AppError('SAME_AMOUNT_ORDER', { values: { orderNo: 'KT1' }, details: { orderNo: 'KT1' } }),
  ]
  const sent = openLine(mayBePayout(detailsOf(line), false), () => {
    const failure = answers.shift()
    if (failure) throw failure
    return { ...paidOut, payout: { gateway: 'opn', feeSatang: 0 } }
  })
  const dialog = await openDialog((await suggestion()).getByRole('button', { name: 'บันทึกยอดโอน…' }))
  const say = () => fireEvent.click(dialog.getByRole('button', { name: 'บันทึกยอดโอน' }))
  say()
  await dialog.findByText(/ถืออยู่ตามบัญชีร้าน \(฿10.00\)/)
  say()
  await dialog.findByText(/คำสั่งซื้อ KT1 ใช้ยอดโอนเดียวกันอยู่/)
  fireEvent.change(dialog.getByLabelText('เหตุผล (ไม่บังคับ)'), { target: { value: 'ตรวจแล้ว' } })
  say()
  await waitFor(() => expect(sent).toHaveLength(3))
  const said = { step: 'bookPayout', version: 1, gateway: 'opn', feeSatang: 0 }
  expect(sent[2]).toEqual({ ...said, sameAmountOrderNo: 'KT1', reason: 'ตรวจแล้ว' })
})

test('beside an order that fits, it is one of the other decisions; without a gateway it is none', async () => {
  openLine(mayBePayout(detailsOf(line, [candidateOf(1)]), false), () => paidOut)
  const others = within(await screen.findByRole('region', { name: 'ไม่ใช่เงินค่าเติมเกม' }))
  others.getByRole('button', { name: 'ยอดโอนจาก Opn Payments' })
  expect(screen.queryByRole('listitem', { name: 'ยอดโอนจาก Opn Payments' })).toBeNull()
})

test('a booked payout tells its gateway and what that kept, and is taken back like other decisions', async () => {
  const details = { ...paidOut, payout: { gateway: 'opn' as const, feeSatang: 3_000 } }
  const sent = openLine(details, () => detailsOf({ ...line, version: 3 }))
  const outcome = within(await screen.findByRole('region', { name: 'ผลการจับคู่' }))
  outcome.getByText('รับยอดโอนแล้ว')
  outcome.getByText('Opn Payments')
  outcome.getByText('฿30.00')
  fireEvent.click(outcome.getByRole('button', { name: 'นำกลับมาจับคู่ใหม่' }))
  const dialog = within((await screen.findByText('นำกลับมาจับคู่ใหม่?')).closest<HTMLElement>('[role=dialog]')!)
  fireEvent.change(dialog.getByLabelText('เหตุผล'), { target: { value: 'ผิด' } })
  fireEvent.click(dialog.getByRole('button', { name: 'นำกลับมาจับคู่ใหม่' }))
  await waitFor(() => expect(sent).toEqual([{ step: 'undo', version: 2, reason: 'ผิด' }]))
})

const none = {
  charges: 0,
  chargeSatang: 0,
  surchargeSatang: 0,
  owed: 0,
  owedSatang: 0,
  feeSatang: 0,
  payouts: 0,
  payoutSatang: 0,
  otherSatang: 0,
}

test('the gateway stands beside the banks: each day and what is left after it; days and differences lead to orders', async () => {
  const asked: URLSearchParams[] = []
  const days = [
    {
      ...none,
      day: DAY,
      charges: 3,
      owed: 1,
      owedSatang: 14_900,
      chargeSatang: 29_800,
      feeSatang: 789,
      payouts: 1,
      payoutSatang: 50_000,
    },
    { ...none, day: '2026-11-19', charges: 1, chargeSatang: 14_900, surchargeSatang: 100, feeSatang: 265 },
  ]
  server.use(
    fakeAccounts(),
    fake(getReconciliation, () => ({ days: [], nowDate: NOW })),
    fake(listBookedWithoutLine, () => ({ rows: [], total: 0, nowDate: NOW })),
    fake(getGatewayAccounts, (_, url) => {
      asked.push(url.searchParams)
      const what = [
        { text: 'chrg_1: ผู้ให้บริการรับเงินแล้ว แต่ร้านยังไม่บันทึก', orderNo: 'KT2611-00004815' },
        { text: 'Opn Payments ส่งรายการให้ตรวจไม่ครบ', orderNo: null },
      ]
      return {
        accounts: [{ gateway: 'opn' as const, openingSatang: 100_000, days }],
        check: { at: NOW, differences: 2, what },
        nowDate: NOW,
      }
    }),
    fake(listGatewayMoves, (_, url) => {
      asked.push(url.searchParams)
      const rows = [
        { at: NOW, move: 'charge' as const, amountSatang: 14_900, orderNo: 'KT2611-00004816', line: null },
        { at: NOW, move: 'payout' as const, amountSatang: -50_000, orderNo: null, line: { id: line.id, no: 1 } },
      ]
      return { rows, total: 2, nowDate: NOW }
    }),
  )
  renderSite({ path: `/management/reconciliation?from=2026-11-01&to=${DAY}`, me: manager })
  const card = within(await screen.findByRole('region', { name: 'Opn Payments' }))
  card.getByText('฿1,000.00')
  const cellsOf = (name: string) =>
    [...card.getByText(name).closest('tr')!.children].map(({ textContent }) => textContent).slice(1)
  expect(cellsOf('รวมทั้งช่วง')).toEqual([
    '447.003 รายการ',
    '1.00',
    '149.001 รายการ',
    '−10.54',
    '−500.001 รายการ',
    '1,086.46',
  ])
  expect(cellsOf('20/11/2026').at(-1)).toBe('1,086.46')
  expect(cellsOf('19/11/2026').at(-1)).toBe('1,147.35')
  const alarm = within(card.getByRole('alert'))
  alarm.getByText(/2 รายการไม่ตรงกับของผู้ให้บริการ/)
  expect(alarm.getByRole('link', { name: 'KT2611-00004815' }).getAttribute('href')).toBe(
    '/management/details/KT2611-00004815',
  )
  fireEvent.click(card.getByRole('link', { name: '20/11/2026' }))
  const drawer = within(await screen.findByRole('dialog'))
  expect((await drawer.findByRole('link', { name: 'KT2611-00004816' })).getAttribute('href')).toBe(
    '/management/details/KT2611-00004816',
  )
  expect(drawer.getByRole('link', { name: 'รายการธนาคารเลขที่ 1' }).getAttribute('href')).toContain(line.id)
  expect(Object.fromEntries(asked.at(-1)!)).toEqual({ gateway: 'opn', day: DAY, page: '1', pageSize: '20' })
})
