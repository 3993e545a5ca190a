import { bangkokMonthOf } from '@shop/shared/time.ts'
import { getStatement, type WalletStatement } from '@shop/shared/wallet/endpoints.ts'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { InShop } from '../testing.tsx'
import { StatementSheet } from './statement-sheet.tsx'
import { startWalletServer, wallet } from './testing.ts'

vi.mock('../firebase.ts', () => ({
  onUser: (hear: (uid: string) => void) => hear('u1'),
  getToken: async () => 'token',
  signOut: async () => undefined,
}))
const server = startWalletServer()
const STATEMENT = `*${getStatement.path.replace('/:month', '')}/:month`

const statementOf = (month: string): WalletStatement => ({
  month,
  openingSatang: 1000_00,
  inSatang: 500_00,
  outSatang: 322_00,
  closingSatang: 1178_00,
  rows: [
    {
      at: wallet.nowDate,
      no: 'WT2611-00000001',
      actionType: 'เติมเงิน',
      transType: 'ฝาก',
      detail: '',
      amountSatang: 500_00,
      balanceSatang: 1500_00,
    },
  ],
})

function Page() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        ใบแจ้งยอด
      </button>
      <StatementSheet open={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}
async function open() {
  render(<Page />, { wrapper: InShop })
  await userEvent.click(screen.getByRole('button', { name: 'ใบแจ้งยอด' }))
  return within(await screen.findByRole('dialog', { name: 'ใบแจ้งยอด' }))
}

test('the month that runs is asked for once the sheet opens, and drawn when its answer comes late', async () => {
  const answer = Promise.withResolvers<void>()
  const asked: unknown[] = []
  server.use(
    http.get(STATEMENT, async ({ params }) => {
      asked.push(params.month)
      await answer.promise
      return HttpResponse.json(statementOf(String(params.month)))
    }),
  )
  const sheet = await open()
  await vi.waitFor(() => expect(asked).toEqual([bangkokMonthOf(new Date())]))
  expect(sheet.queryByText('ยอดยกไป')).toBeNull()
  answer.resolve()
  expect(await sheet.findByText('WT2611-00000001')).toBeTruthy()
  expect(sheet.getByText('ยอดยกไป').textContent).toContain('1,178 บาท')
})

test('a statement that cannot be had says so, and is drawn after another try', async () => {
  server.use(
    http.get(STATEMENT, () => HttpResponse.json({ code: 'UNAVAILABLE' }, { status: 503 }), { once: true }),
    http.get(STATEMENT, ({ params }) => HttpResponse.json(statementOf(String(params.month)))),
  )
  const sheet = await open()
  await userEvent.click(await sheet.findByRole('button', { name: 'ลองอีกครั้ง' }))
  expect(await sheet.findByText('WT2611-00000001')).toBeTruthy()
})
