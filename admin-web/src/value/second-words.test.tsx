import { AppError } from '@shop/shared/errors.ts'
import { listOptions, saveOption } from '@shop/shared/settings/endpoints.ts'
import {
  giveSecondWord,
  listSecondWords,
  listValueMovers,
  listValueMoves,
  refuseSecondWord,
  type SecondWord,
} from '@shop/shared/value/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server, staff } from '../testing/site.tsx'

const NOW = '2026-11-20T07:00:00.000Z'
const admin = { ...staff, uid: 'u-admin', role: 'admin' as const }

const word = (change: Partial<SecondWord> = {}): SecondWord => ({
  id: '01a1f903-0005-7b09-91c6-000000000001',
  kind: 'walletCredit',
  amountSatang: 2_500_000,
  subject: 'account:u-agent',
  subjectName: 'ตัวแทน หนึ่ง',
  note: 'ตัวแทนโอนตรง',
  evidence: null,
  askedBy: 'u-manager',
  askedByName: 'สมชาย',
  askedAt: NOW,
  expiresAt: '2026-11-21T07:00:00.000Z',
  state: 'waiting',
  decidedByName: null,
  decidedAt: null,
  reason: null,
  isOwn: false,
  isRepeated: false,
  barrier: null,
  ...change,
})

const own = word({
  id: '01a1f903-0005-7b09-91c6-000000000002',
  isOwn: true,
  askedByName: 'มานี',
  kind: 'guardLoosened',
  subjectName: 'ตัวแทน สอง',
  amountSatang: 0,
})
const barred = word({
  id: '01a1f903-0005-7b09-91c6-000000000003',
  kind: 'refundSent',
  subjectName: 'ตัวแทน สาม',
  barrier: 'เพราะเป็นกระเป๋าเงินหรือคำสั่งซื้อของคุณ',
})

test('what waits is confirmed after a question, or refused with a reason; what is mine or barred says why it waits', async () => {
  const given: unknown[] = []
  const refused: unknown[] = []
  let rows = [word(), own, barred]
  server.use(
    fake(listSecondWords, () => ({ rows, total: rows.length, nowDate: NOW })),
    fake(giveSecondWord, (_, url) => {
      given.push(url.pathname.split('/').at(-2))
      rows = [own, barred]
      return { isDone: true }
    }),
    fake(refuseSecondWord, body => {
      refused.push(body)
      return { id: own.id }
    }),
  )
  renderSite({ path: '/management/secondword', me: admin })
  await screen.findByText('นำเงินเข้ากระเป๋าจากรายการธนาคาร')
  expect(screen.getByRole('link', { name: 'ตัวแทน หนึ่ง' }).getAttribute('href')).toBe('/user/u-agent')
  expect(screen.getAllByText('25,000.00').length).toBe(2)
  screen.getByText(/รอคนอื่นยืนยัน ถึง/)
  screen.getByText(/คุณยืนยันไม่ได้ เพราะเป็นกระเป๋าเงิน/)
  expect(screen.getAllByRole('button', { name: /^ยืนยัน / }).length).toBe(1)
  fireEvent.click(screen.getByRole('button', { name: /^ยืนยัน / }))
  const question = within(await screen.findByRole('dialog'))
  question.getByText('สมชาย: ตัวแทนโอนตรง')
  question.getByText(/^รายการนี้จะเกิดขึ้นทันที/)
  expect(given).toEqual([])
  fireEvent.click(question.getByRole('button', { name: 'ยืนยัน' }))
  await waitFor(() => expect(given).toEqual([word().id]))
  await waitFor(() => expect(screen.getAllByText('25,000.00').length).toBe(1))
  fireEvent.click(screen.getByRole('button', { name: 'ยกเลิกคำขอ' }))
  const dialog = within(await screen.findByRole('dialog', { name: /^ยกเลิกคำขอ/ }))
  const save = () => fireEvent.click(dialog.getByRole('button', { name: 'ยกเลิกคำขอ' }))
  save()
  await dialog.findByText('กรุณาระบุเหตุผล')
  fireEvent.change(dialog.getByLabelText('เหตุผล'), { target: { value: 'พิมพ์ผิด' } })
  save()
  await waitFor(() => expect(refused).toEqual([{ reason: 'พิมพ์ผิด' }]))
})

test('who confirms sees what the asker shows for it, in the list and where they confirm', async () => {
  const shown = word({ kind: 'codeReplacedAgain', evidence: { slipId: null, reference: 'SUP-77' } })
  server.use(fake(listSecondWords, () => ({ rows: [shown], total: 1, nowDate: NOW })))
  renderSite({ path: '/management/secondword', me: admin })
  await screen.findByText('เลขที่เรื่อง SUP-77')
  fireEvent.click(screen.getByRole('button', { name: /^ยืนยัน / }))
  within(await screen.findByRole('dialog')).getByText('เลขที่เรื่อง SUP-77')
})

test('nothing waits; what is over tells what became of it', async () => {
  server.use(
    fake(listSecondWords, (_, url) => {
      const isSettled = url.searchParams.get('state') === 'settled'
      const over = word({ state: 'refused', decidedByName: 'ปิติ', decidedAt: NOW, reason: 'ไม่ได้ตกลงกันไว้' })
      return { rows: isSettled ? [over] : [], total: isSettled ? 1 : 0, nowDate: NOW }
    }),
  )
  renderSite({ path: '/management/secondword' })
  await screen.findByText('ไม่มีรายการรอคนที่สอง')
  fireEvent.click(screen.getByRole('tab', { name: 'จบแล้ว' }))
  await screen.findByText('ไม่ยืนยัน')
  screen.getByText(/ปิติ · .* · ไม่ได้ตกลงกันไว้/)
})

test('what waits for a second person has not failed: it is told calmly, what holds until then stands there, and the way there is shown', async () => {
  const set = { updatedBy: null, updatedByName: null, updatedAt: null }
  server.use(
    fake(listOptions, () => [{ optionName: 'TWO_PERSON_APPROVAL_AMOUNT' as const, optionValue: '20000', ...set }]),
    fake(saveOption, () => {
      throw new AppError('SECOND_WORD_NEEDED', {
        values: { sent: 'ส่งให้ผู้ดูแลระบบคนอื่นแล้ว' },
        details: { secondWordId: 'w1' },
      })
    }),
    fake(listSecondWords, () => ({ rows: [own], total: 1, nowDate: NOW })),
  )
  renderSite({ path: '/management/appconfig', me: admin })
  const box = await screen.findByLabelText<HTMLInputElement>('ยอดที่ต้องอนุมัติสองคน (บาท)')
  fireEvent.change(box, { target: { value: '50000' } })
  fireEvent.submit(box.closest('form')!)
  const notice = within(await screen.findByRole('dialog'))
  notice.getAllByText('ส่งให้คนที่สองยืนยันแล้ว')
  notice.getByText(/ส่งให้ผู้ดูแลระบบคนอื่นแล้ว ยังไม่มีอะไรเปลี่ยน/)
  expect(screen.queryByText(/บันทึกข้อมูลไม่สำเร็จ/)).toBeNull()
  expect(box.value.replace(',', '')).toBe('20000')
})

test('managers see what guards money, and do not change it', async () => {
  const set = { updatedBy: null, updatedByName: null, updatedAt: null }
  server.use(
    fake(listOptions, () => [
      { optionName: 'TWO_PERSON_APPROVAL_AMOUNT' as const, optionValue: '20000', ...set },
      { optionName: 'PAYMENT_TIME_LIMIT' as const, optionValue: '15', ...set },
    ]),
  )
  renderSite({ path: '/management/appconfig', me: { ...admin, role: 'manager' } })
  const guard = await screen.findByLabelText<HTMLInputElement>('ยอดที่ต้องอนุมัติสองคน (บาท)')
  expect(guard.disabled).toBe(true)
  expect(screen.getByLabelText<HTMLInputElement>('เวลาชำระเงิน (นาที)').disabled).toBe(false)
})

test('a week by person and kind leads to the single moves, and the address keeps what was chosen', async () => {
  const asked: string[] = []
  const move = {
    id: word().id,
    at: NOW,
    uid: 'u-manager',
    name: 'สมชาย',
    kind: 'walletCredit',
    amountSatang: 1_950_000,
    subject: 'order:KT2611-00004815',
    subjectName: null,
    note: 'ตัวแทนโอนตรง',
    secondName: 'ปิติ',
    isAlone: false,
  }
  server.use(
    fake(listValueMovers, () => ({
      from: '2026-11-16',
      to: '2026-11-22',
      nowDate: NOW,
      movers: [
        {
          uid: 'u-manager',
          name: 'สมชาย',
          role: 'manager',
          kinds: [{ kind: 'walletCredit', count: 3, sumSatang: 1_950_000, seconded: 1 }],
        },
      ],
    })),
    fake(listValueMoves, (_, url) => {
      asked.push(url.search)
      return { rows: [move], total: 1, nowDate: NOW }
    }),
  )
  renderSite({ path: '/management/value?week=2026-11-18', me: admin })
  await screen.findByText('16/11/2026 – 22/11/2026')
  const people = within(screen.getByRole('region', { name: 'ยอดรวมต่อคน' }))
  people.getByText('3 ครั้ง')
  people.getByText('มีคนที่สอง 1')
  expect(people.queryByText('รวม (บาท)')).toBeNull()
  expect(screen.getByRole('link', { name: 'KT2611-00004815' }).getAttribute('href')).toBe(
    '/management/details/KT2611-00004815',
  )
  fireEvent.click(people.getByRole('button', { name: 'นำเงินเข้ากระเป๋าจากรายการธนาคาร' }))
  await waitFor(() => expect(asked.at(-1)).toContain('uid=u-manager'))
  expect(asked.at(-1)).toContain('kind=walletCredit')
  expect(asked.every(search => search.includes('week=2026-11-18'))).toBe(true)
})

test('a list that could not be had says so, and is asked for again', async () => {
  let calls = 0
  server.use(
    fake(listSecondWords, () => {
      calls += 1
      if (calls === 1) throw new AppError('INTERNAL')
      return { rows: [], total: 0, nowDate: NOW }
    }),
  )
  renderSite({ path: '/management/secondword', me: admin })
  fireEvent.click(await screen.findByRole('button', { name: /ลอง/ }))
  await screen.findByText('ไม่มีรายการรอคนที่สอง')
})
