import { confirmStatementFile, listWaitingFiles, type WaitingFile } from '@shop/shared/statement/import-endpoints.ts'
import { fake, refuse } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server } from '../testing/site.tsx'
import { DAY, fakeAccounts, manager, NOW } from '../testing/statement.ts'

const file: WaitingFile = {
  id: '01a1f903-0009-7b09-91c6-000000000001',
  fileName: 'kbank.csv',
  receivingAccountId: 7,
  givenByName: 'สมหญิง',
  importedAt: NOW,
  fromDay: DAY,
  toDay: DAY,
  inSatang: 6_543_210,
  lines: 41,
  orders: 3,
  whyNot: null,
}

function open(files: () => WaitingFile[]) {
  server.use(fakeAccounts())
  renderSite({ path: '/management/bankstatement', me: manager })
  server.use(fake(listWaitingFiles, files))
}

test('a file that waits says what it is, and its second person confirms what they saw', async () => {
  let files = [file]
  const sent: unknown[] = []
  server.use(
    fake(confirmStatementFile, body => {
      sent.push(body)
      files = []
      return { fileId: file.id }
    }),
  )
  open(() => files)
  const button = await screen.findByRole('button', { name: 'ยืนยันไฟล์ kbank.csv' })
  const note = button.closest<HTMLElement>('[role=alert]')!
  expect(note.textContent).toContain('สมหญิง')
  expect(note.textContent).toContain('65,432.10')
  expect(note.textContent).toContain('คำสั่งซื้อ 3 รายการยังไม่ถูกส่งให้ผู้จำหน่าย')
  const lines = within(note).getByRole('link', { name: 'ดูรายการในไฟล์' })
  expect(lines.getAttribute('href')).toContain(`source=file%3A${file.id}`)
  fireEvent.click(button)
  fireEvent.click(await screen.findByRole('button', { name: 'ยืนยันไฟล์นี้' }))
  await waitFor(() => expect(sent).toEqual([{ inSatang: 6_543_210 }]))
  await waitFor(() => expect(screen.queryByText(/kbank\.csv รอคนที่สองยืนยัน/)).toBeNull())
})

test('who gave it sees why somebody else must look', async () => {
  open(() => [{ ...file, whyNot: 'เพราะเป็นรายการที่คุณขอเอง' }])
  const button = await screen.findByRole<HTMLButtonElement>('button', {
    name: 'ยืนยันไฟล์ kbank.csv',
    description: 'คุณยืนยันไม่ได้ เพราะเป็นรายการที่คุณขอเอง',
  })
  expect(button.disabled).toBe(true)
})

test('what grew meanwhile is told, and stays', async () => {
  server.use(fake(confirmStatementFile, refuse('CONFLICT')))
  open(() => [file])
  fireEvent.click(await screen.findByRole('button', { name: 'ยืนยันไฟล์ kbank.csv' }))
  fireEvent.click(await screen.findByRole('button', { name: 'ยืนยันไฟล์นี้' }))
  await screen.findByText(/ยืนยันไม่สำเร็จ/)
  screen.getByRole('button', { name: 'ยืนยันไฟล์ kbank.csv' })
})
