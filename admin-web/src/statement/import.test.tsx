import { AppError } from '@shop/shared/errors.ts'
import { listStatementLines } from '@shop/shared/statement/endpoints.ts'
import { guessMapping } from '@shop/shared/statement/guess-mapping.ts'
import {
  importStatementFile,
  matchStatementLines,
  previewStatementFile,
  readStatementFile,
  type StatementPreview,
} from '@shop/shared/statement/import-endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server } from '../testing/site.tsx'
import { DAY, fakeAccounts, manager, NOW } from '../testing/statement.ts'

const rows = [
  ['สรุปรายการ'],
  ['วัน', 'เข้า', 'ออก', 'ข้อความ'],
  ['20/11/2026 13:58', '279.00', '', 'รับโอนจาก SCB x7713'],
  ['20/11/2026 14:10', '', '35.00', 'ค่าธรรมเนียม'],
]
const known: StatementPreview = {
  fileId: '01a1f903-0009-7b09-91c6-000000000001',
  fileName: 'kbank.csv',
  encoding: 'utf-8',
  layout: 'กสิกรไทย: รายการเดินบัญชี',
  mapping: null,
  proposal: guessMapping(rows, '004'),
  rows,
  counts: { fresh: 2, known: 1, unreadable: 0 },
  inSatang: 27_900,
  outSatang: 3_500,
  fromDay: DAY,
  toDay: DAY,
  lines: [
    {
      rowNumber: 3,
      day: DAY,
      time: '13:58',
      amountSatang: 27_900,
      balanceSatang: null,
      detail: 'รับโอน',
      isKnown: false,
    },
  ],
  problems: [],
  stranger: null,
  checks: [
    { ok: true, text: 'ยอดคงเหลือต่อกันครบ 3 แถว' },
    { ok: false, text: 'ยอดยกไปในไฟล์ไม่ตรง' },
  ],
  gaps: 0,
}
const recognised: StatementPreview = { ...known, mapping: known.proposal }
const unknown: StatementPreview = {
  ...known,
  layout: null,
  counts: { fresh: 0, known: 0, unreadable: 0 },
  lines: [],
  checks: [],
}

async function openImport(preview: StatementPreview | (() => StatementPreview)) {
  const sent: unknown[] = []
  server.use(
    fakeAccounts(),
    fake(listStatementLines, () => ({
      rows: [],
      total: 0,
      nowDate: NOW,
      summary: { moneyIn: 0, decided: 0, byItself: 0, inSatang: 0 },
      sources: [],
    })),
    fake(readStatementFile, typeof preview === 'function' ? preview : () => preview),
    fake(importStatementFile, body => {
      sent.push(body)
      return { fileId: known.fileId, imported: 2, known: 1, needsSecond: false }
    }),
    fake(matchStatementLines, () => ({ tried: 2, matched: 1, left: 0, matchedOfFile: 1 })),
  )
  renderSite({ path: `/management/bankstatement?account=7&from=${DAY}&to=${DAY}`, me: manager })
  fireEvent.click(await screen.findByRole('button', { name: /นำเข้าไฟล์ธนาคาร/ }))
  const dialog = await screen.findByRole('dialog')
  const choose = () =>
    fireEvent.change(dialog.querySelector('input[type=file]')!, {
      target: { files: [new File(['วัน,เข้า'], 'kbank.csv', { type: 'text/csv' })] },
    })
  return { dialog: within(dialog), choose, sent }
}

test('a known layout shows what it would do, is taken, and then matched', async () => {
  const { dialog, choose, sent } = await openImport(recognised)
  choose()
  await dialog.findByText('ใหม่')
  dialog.getByText(/กสิกรไทย: รายการเดินบัญชี/)
  dialog.getByText('ยอดยกไปในไฟล์ไม่ตรง')
  fireEvent.click(dialog.getByRole('button', { name: 'นำเข้า 2 รายการใหม่' }))
  await dialog.findByText(/จับคู่เสร็จแล้ว/)
  expect(sent).toEqual([{ mapping: null, remember: false, acceptsGap: false }])
})

test('a file whose balances do not go on from what is known takes a tick', async () => {
  const text = 'รายการล่าสุดของบัญชีนี้เหลือ 197,355.41 แต่ไฟล์เริ่มจากยอด 50,000.00: อาจเป็นไฟล์ของบัญชีอื่น'
  const { dialog, choose, sent } = await openImport({ ...recognised, gaps: 2, checks: [{ ok: false, text }] })
  choose()
  await dialog.findByText(text)
  const take = dialog.getByRole<HTMLButtonElement>('button', { name: 'นำเข้า 2 รายการใหม่' })
  expect(take.disabled).toBe(true)
  fireEvent.click(dialog.getByRole('checkbox', { name: /ตรวจแล้วว่าเป็นไฟล์ของบัญชีนี้/ }))
  fireEvent.click(take)
  await dialog.findByText(/จับคู่เสร็จแล้ว/)
  expect(sent).toEqual([{ mapping: null, remember: false, acceptsGap: true }])
})

test('a file of another account says so in one place, and is read again for the account that it names', async () => {
  const message = 'ไฟล์นี้เป็นของบัญชีที่ลงท้ายด้วย 1111 ไม่ใช่บัญชีที่เลือก'
  let calls = 0
  const { dialog, choose } = await openImport(() => {
    calls += 1
    return calls === 1 ? { ...recognised, gaps: 2, stranger: { message, receivingAccountId: 8 } } : recognised
  })
  choose()
  const alarm = (await dialog.findByText(message)).closest<HTMLElement>('[role=alert]')!
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'นำเข้า 2 รายการใหม่' }).disabled).toBe(true)
  expect(dialog.queryByRole('checkbox')).toBeNull()
  fireEvent.click(within(alarm).getByRole('button', { name: 'ใช้บัญชี ไทยพาณิชย์ x1111' }))
  await dialog.findByText(/กสิกรไทย: รายการเดินบัญชี/)
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'นำเข้า 2 รายการใหม่' }).disabled).toBe(false)
})

test('a file that fails to be read can be sent again', async () => {
  let calls = 0
  const { dialog, choose } = await openImport(() => {
    calls += 1
    if (calls === 1) throw new AppError('STATEMENT_UNREADABLE')
    return recognised
  })
  choose()
  await dialog.findByText(/อ่านไฟล์นี้ไม่ได้ กรุณาใช้ไฟล์ CSV/)
  fireEvent.click(dialog.getByRole('button', { name: 'ลองอีกครั้ง' }))
  await dialog.findByRole('button', { name: 'นำเข้า 2 รายการใหม่' })
})

test('problems name row and column, and nothing can be imported', async () => {
  const { dialog, choose } = await openImport({
    ...recognised,
    counts: { fresh: 1, known: 0, unreadable: 1 },
    problems: [{ rowNumber: 4, column: 'วัน', message: 'อ่านวันที่ "31/02" ไม่ได้' }],
  })
  choose()
  await dialog.findByText('อ่านวันที่ "31/02" ไม่ได้')
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: /^นำเข้า 1/ }).disabled).toBe(true)
})

test('columns of an unknown file are pointed out, seen at once, kept when the check fails, and sent with the import', async () => {
  const { dialog, choose, sent } = await openImport(unknown)
  let calls = 0
  const checked: unknown[] = []
  server.use(
    fake(previewStatementFile, body => {
      calls += 1
      checked.push(body)
      if (calls === 1) throw new AppError('UNAVAILABLE')
      return { ...recognised, layout: null }
    }),
  )
  choose()
  await dialog.findByText('ระบบยังไม่รู้จักรูปแบบไฟล์นี้')
  fireEvent.click(dialog.getByRole('radio', { name: 'แถว 2 เป็นหัวตาราง' }))
  const point = async (column: string, role: string) => {
    fireEvent.mouseDown(dialog.getByLabelText(`คอลัมน์ ${column} คือ`))
    const options = await waitFor(() => {
      const found = [...document.querySelectorAll('.ant-select-dropdown:not(.ant-select-dropdown-hidden)')]
        .flatMap(list => [...list.querySelectorAll('.ant-select-item-option')])
        .filter(option => option.textContent === role)
      expect(found.length).toBeGreaterThan(0)
      return found
    })
    fireEvent.click(options.at(-1)!)
  }
  // The guess found nothing that looks like a heading: amounts are one column until said otherwise.
  fireEvent.mouseDown(dialog.getByLabelText('จำนวนเงิน'))
  fireEvent.click(await screen.findByText('เงินเข้าและเงินออกคนละคอลัมน์'))
  await point('A', 'วันที่')
  await point('B', 'เงินเข้า')
  await point('C', 'เงินออก')
  await point('D', 'รายละเอียด')
  await dialog.findByText('อ่านได้ 2 รายการจาก 4 แถวแรก')
  dialog.getByText('279.00', { selector: '.number' })

  fireEvent.click(dialog.getByRole('button', { name: 'ตรวจทั้งไฟล์' }))
  await dialog.findByText('ตรวจไฟล์ไม่สำเร็จ')
  dialog.getByText('อ่านได้ 2 รายการจาก 4 แถวแรก')
  fireEvent.click(dialog.getByRole('button', { name: 'ตรวจทั้งไฟล์' }))
  fireEvent.click(await dialog.findByRole('button', { name: 'นำเข้า 2 รายการใหม่' }))
  await dialog.findByText(/จับคู่เสร็จแล้ว/)
  const mapping = {
    headerRow: 1,
    header: rows[1],
    date: { column: 0, order: 'dmy', era: 'CE' },
    amount: { style: 'two-columns', deposit: 1, withdrawal: 2 },
    detailColumns: [3],
    bank: '004',
  }
  expect(checked[1]).toMatchObject({ mapping })
  expect(sent).toEqual([{ mapping: expect.objectContaining(mapping), remember: true, acceptsGap: false }])
})

test('matching goes on until nothing is left, and after a failure from where it stood', async () => {
  const { dialog, choose } = await openImport(recognised)
  const answers = [
    () => ({ tried: 50, matched: 40, left: 30, matchedOfFile: null }),
    () => {
      throw new AppError('UNAVAILABLE')
    },
    () => ({ tried: 30, matched: 5, left: 0, matchedOfFile: 52 }),
  ]
  server.use(fake(matchStatementLines, () => answers.shift()!()))
  choose()
  fireEvent.click(await dialog.findByRole('button', { name: 'นำเข้า 2 รายการใหม่' }))
  await dialog.findByText(/จับคู่ต่อไม่สำเร็จ/)
  dialog.getByText(/เหลือ 30 รายการ/)
  dialog.getByRole('button', { name: 'ปิด ระบบจะจับคู่ต่อเอง' })
  fireEvent.click(dialog.getByRole('button', { name: 'ลองอีกครั้ง' }))
  const done = await dialog.findByText(/จับคู่เสร็จแล้ว/)
  expect(done.textContent).toContain('จับคู่ได้ 52 รายการ')
})
