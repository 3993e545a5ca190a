import { listReceivingAccounts, type ReceivingAccount } from '@shop/shared/catalogue/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { getTopUpQr, saveTopUp, type WalletTransaction } from '@shop/shared/wallet/endpoints.ts'
import { addGatewayTopUp, listTopUpMethods } from '@shop/shared/wallet/top-up-endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { order } from '../orders/testing.ts'
import { InShop, refuse } from '../testing.tsx'
import { findAlert, movement, startWalletServer, wallet } from './testing.ts'
import TopUpSheet from './top-up-sheet.tsx'

vi.mock('../firebase.ts', () => ({
  onUser: (hear: (uid: string) => void) => hear('u1'),
  getToken: async () => 'token',
  signOut: async () => undefined,
}))
const server = startWalletServer()

interface Sent {
  key: string | null
  body: Record<string, unknown>
}

/** Answers the save calls in turn and tells what was sent. */
function answerSaves(...answers: (() => Response | Promise<Response>)[]): Sent[] {
  const sent: Sent[] = []
  server.use(
    http.post(`*${saveTopUp.path}`, async ({ request }) => {
      sent.push({ key: request.headers.get('idempotency-key'), body: (await request.json()) as Sent['body'] })
      return answers[sent.length - 1]!()
    }),
  )
  return sent
}
const accept = () => HttpResponse.json({ id: wallet.id, no: 'WT2611-00000001', status: 'waiting_approve' })

async function openSheet(edited: WalletTransaction | null = null) {
  const onSaved = vi.fn()
  render(
    <InShop>
      <TopUpSheet wallet={wallet} edited={edited} open onClose={() => undefined} onSaved={onSaved} />
    </InShop>,
  )
  const amount = (await screen.findByLabelText('จำนวนเงิน (บาท)')) as HTMLInputElement
  return { amount, onSaved, submit: (name: string) => userEvent.click(screen.getByRole('button', { name })) }
}

test('too much is said while typing, too little on sending; neither is sent nor changed', async () => {
  const sent = answerSaves()
  const { amount, submit } = await openSheet()
  await userEvent.type(amount, '15715.01')
  expect(screen.getByText('คุณสามารถเติมเงินได้สูงสุด 15,715 บาท')).toBeTruthy()
  await userEvent.clear(amount)
  await userEvent.type(amount, '499')
  await submit('ส่งคำขอเติมเงิน')
  expect(screen.getByText('คุณสามารถเติมเงินได้ต่ำสุด 500 บาท')).toBeTruthy()
  expect(amount.value).toBe('499')
  expect(sent).toEqual([])
})

test('the balance after shows while a possible amount stands there', async () => {
  const { amount } = await openSheet()
  await userEvent.click(screen.getByRole('button', { name: '1,000' }))
  expect(amount.value).toBe('1,000')
  expect(screen.getByText('5,285 บาท')).toBeTruthy()
})

test('a lost save keeps what was typed, and trying again is the same request', async () => {
  const sent = answerSaves(() => HttpResponse.error(), accept)
  const { amount, onSaved, submit } = await openSheet()
  await userEvent.type(amount, '1000')
  await submit('ส่งคำขอเติมเงิน')
  expect(await findAlert()).toContain('ข้อมูลที่กรอกยังอยู่ครบ')
  expect(amount.value).toBe('1000')
  await submit('ลองอีกครั้ง')
  await waitFor(() => expect(onSaved).toHaveBeenCalledTimes(1))
  expect(sent[0]!.key).toMatch(/^[\w-]{36}$/)
  expect(sent[1]).toEqual(sent[0])
})

test('a refused save says why at the amount; the next one is a new request', async () => {
  const sent = answerSaves(() => refuse('TOP_UP_ABOVE_ROOM', { n: '800' }), accept)
  const { amount, onSaved, submit } = await openSheet()
  await userEvent.type(amount, '1000')
  await submit('ส่งคำขอเติมเงิน')
  expect(await screen.findByText('คุณสามารถเติมเงินได้สูงสุด 800 บาท')).toBeTruthy()
  await userEvent.clear(amount)
  await userEvent.type(amount, '800')
  await submit('ส่งคำขอเติมเงิน')
  await waitFor(() => expect(onSaved).toHaveBeenCalled())
  expect(sent.map(({ body }) => body.amountSatang)).toEqual([1000_00, 800_00])
  expect(sent[1]!.key).not.toBe(sent[0]!.key)
})

test('a slip that was used meanwhile says what to do', async () => {
  answerSaves(() => refuse('SLIP_REUSED'))
  const { amount, submit } = await openSheet()
  await userEvent.type(amount, '1000')
  await submit('ส่งคำขอเติมเงิน')
  expect(await findAlert()).toBe('สลิปนี้ใช้กับรายการอื่นแล้ว กรุณาแนบสลิปของรายการนี้ หรือติดต่อร้าน')
})

test('two taps send one request', async () => {
  const tapped = Promise.withResolvers<void>()
  const sent = answerSaves(() => tapped.promise.then(accept))
  const { amount, onSaved } = await openSheet()
  await userEvent.type(amount, '1000')
  await userEvent.dblClick(screen.getByRole('button', { name: 'ส่งคำขอเติมเงิน' }))
  tapped.resolve()
  await waitFor(() => expect(onSaved).toHaveBeenCalledTimes(1))
  expect(sent).toHaveLength(1)
})

/** A top-up that waits and may be edited. */
const row = movement('WT2611-00000009', {
  amountSatang: 1500_50,
  status: 'waiting_approve',
  canEdit: true,
  canCancel: true,
})

test('editing starts from the row and names it', async () => {
  const sent = answerSaves(accept)
  const { amount, onSaved, submit } = await openSheet(row)
  expect(amount.value).toBe('1,500.50')
  await submit('บันทึกการแก้ไข')
  await waitFor(() => expect(onSaved).toHaveBeenCalled())
  expect(sent[0]!.body).toMatchObject({ id: row.id, amountSatang: 1500_50, slipId: null })
})

test('a large amount without a slip is asked about before it is sent, and another amount is not', async () => {
  const sent = answerSaves(accept)
  const { amount, onSaved, submit } = await openSheet()
  await userEvent.type(amount, '10000.01')
  await submit('ส่งคำขอเติมเงิน')
  expect(await findAlert()).toContain('ยอดเกิน ฿10,000 ต้องให้ผู้จัดการ 2 คนอนุมัติ')
  expect(sent).toEqual([])
  await userEvent.clear(amount)
  await userEvent.type(amount, '10000.02')
  await submit('ส่งคำขอเติมเงิน')
  await submit('ส่งโดยไม่มีสลิป')
  await waitFor(() => expect(onSaved).toHaveBeenCalled())
  expect(sent.map(({ body }) => body.amountSatang)).toEqual([10_000_02])
})

test('room for less than the minimum says that nothing can be topped up', async () => {
  render(
    <InShop>
      <TopUpSheet
        wallet={{ ...wallet, roomSatang: 499_99 }}
        edited={null}
        open
        onClose={() => undefined}
        onSaved={() => undefined}
      />
    </InShop>,
  )
  expect(await screen.findByText('ขณะนี้เติมเงินไม่ได้')).toBeTruthy()
  expect(screen.queryByLabelText('จำนวนเงิน (บาท)')).toBeNull()
})

describe('the PromptPay QR', () => {
  const account: ReceivingAccount = { ...order.receivingAccount!, hasPromptPay: true }
  const WAITS = 'กรอกจำนวนเงินแล้ว QR จะขึ้นที่นี่'
  /** Lets the shop have these accounts, and tells for which amounts a QR was asked. */
  function offer(...accounts: ReceivingAccount[]): number[] {
    const asked: number[] = []
    server.use(
      fake(listReceivingAccounts, () => accounts),
      fake(getTopUpQr, (_, { pathname }) => {
        asked.push(Number(pathname.split('/').at(-1)))
        return { promptPay: `QR of ${asked.at(-1)}` }
      }),
    )
    return asked
  }

  test('comes for an amount that can be topped up, and goes when another is typed', async () => {
    const asked = offer(account)
    const { amount } = await openSheet()
    expect(await screen.findByText(WAITS)).toBeTruthy()
    expect(screen.getByText(account.accountName, { selector: 'b' })).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: '1,000' }))
    expect(await screen.findByRole('img', { name: 'QR พร้อมเพย์ ยอด 1,000.00 บาท' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'บันทึกรูป' }).getAttribute('aria-disabled')).toBeNull()
    await userEvent.clear(amount)
    await userEvent.type(amount, '499')
    expect(screen.queryByRole('img', { name: /QR/ })).toBeNull()
    expect(screen.getByText(WAITS)).toBeTruthy()
    expect(asked).toEqual([1000_00])
  })

  test('is left out where the account has none, and while a top-up is edited', async () => {
    offer({ ...account, hasPromptPay: false })
    await openSheet()
    expect(await screen.findByText('012-3-45678-9')).toBeTruthy()
    expect(screen.queryByText(WAITS)).toBeNull()
    cleanup()
    const asked = offer(account)
    await openSheet(row)
    expect(await screen.findByText('012-3-45678-9')).toBeTruthy()
    expect(screen.queryByText('สแกนด้วยแอปธนาคาร')).toBeNull()
    expect(asked).toEqual([])
  })

  test('that can not be had says so, and the account stays', async () => {
    offer(account)
    server.use(
      fake(getTopUpQr, () => {
        throw new AppError('TOP_UP_ABOVE_ROOM', { values: { n: '800' } })
      }),
    )
    await openSheet()
    await userEvent.click(await screen.findByRole('button', { name: '1,000' }))
    expect(await screen.findByText('คุณสามารถเติมเงินได้สูงสุด 800 บาท')).toBeTruthy()
    expect(screen.getByText('012-3-45678-9')).toBeTruthy()
  })
})

describe('the methods of the payment gateway', () => {
  const terms = {
    leastSatang: 20_00,
    mostSatang: 5_000_00,
    surchargeBasisPoints: 0,
    surchargeSatang: 0,
    openingHours: '',
  }
  const offerMethods = (...surcharges: number[]) =>
    server.use(
      fake(listTopUpMethods, () => [
        { code: 'promptpay' as const, name: 'พร้อมเพย์ QR', terms },
        { code: 'linepay' as const, name: 'LINE Pay', terms: { ...terms, surchargeBasisPoints: surcharges[0] ?? 0 } },
      ]),
    )

  test('are offered beside a transfer; choosing one needs no slip, and leads to the page that is paid on', async () => {
    offerMethods()
    const sent: unknown[] = []
    server.use(
      http.post(`*${addGatewayTopUp.path}`, async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json({ id: wallet.id, no: 'WT2611-00000001' })
      }),
    )
    const { amount, onSaved, submit } = await openSheet()
    await userEvent.click(await screen.findByRole('radio', { name: /^พร้อมเพย์ QR/ }))
    expect(screen.queryByText('แนบสลิป')).toBeNull()
    await userEvent.type(amount, '500')
    await submit('ไปชำระเงิน')
    await waitFor(() => expect(screen.getByLabelText('ที่อยู่').textContent).toBe(`/wallet/topup/${wallet.id}`))
    expect(sent).toEqual([{ amountSatang: 500_00, method: 'promptpay' }])
    expect(onSaved).not.toHaveBeenCalled()
  })

  test('tell what they cost before anything is paid, and which amounts they take', async () => {
    offerMethods(300)
    const { amount } = await openSheet()
    await userEvent.type(amount, '1000')
    await userEvent.click(await screen.findByRole('radio', { name: /^LINE Pay/ }))
    expect(screen.getByText('ค่าธรรมเนียม +30.00 บาท')).toBeTruthy()
    expect(screen.getByText('รวมค่าธรรมเนียม ฿30.00')).toBeTruthy()
    await userEvent.clear(amount)
    await userEvent.type(amount, '5001')
    expect(screen.getAllByText('รับไม่เกิน ฿5,000')).toHaveLength(2)
  })

  test('a large amount asks for no slip there', async () => {
    offerMethods()
    server.use(
      fake(listTopUpMethods, () => [
        { code: 'promptpay' as const, name: 'พร้อมเพย์ QR', terms: { ...terms, mostSatang: 150_000_00 } },
      ]),
      http.post(`*${addGatewayTopUp.path}`, () => refuse('AMOUNT_NOT_FOR_METHOD', { least: '20', most: '10,000' })),
    )
    const { amount, submit } = await openSheet()
    await userEvent.type(amount, '10000.01')
    await userEvent.click(await screen.findByRole('radio', { name: /^พร้อมเพย์ QR/ }))
    await submit('ไปชำระเงิน')
    expect(await findAlert()).toContain('รับ 20 ถึง 10,000 บาท')
  })

  const isChosen = (name: RegExp) => screen.getByRole('radio', { name }).getAttribute('aria-checked') === 'true'

  test('are chosen before a transfer, and the last one that the agent used before the others', async () => {
    offerMethods()
    answerSaves(accept)
    const first = await openSheet()
    await screen.findByRole('radio', { name: /^พร้อมเพย์ QR/ })
    expect(isChosen(/^พร้อมเพย์ QR/)).toBe(true)
    await userEvent.click(screen.getByRole('radio', { name: /^โอนเงินและแนบสลิป/ }))
    await userEvent.type(first.amount, '1000')
    await first.submit('ส่งคำขอเติมเงิน')
    await waitFor(() => expect(first.onSaved).toHaveBeenCalled())
    cleanup()
    await openSheet()
    await screen.findByRole('radio', { name: /^พร้อมเพย์ QR/ })
    expect(isChosen(/^โอนเงินและแนบสลิป/)).toBe(true)
  })

  test('that take less than what is typed leave the top-up to a transfer', async () => {
    offerMethods()
    const { amount } = await openSheet()
    await screen.findByRole('radio', { name: /^พร้อมเพย์ QR/ })
    await userEvent.type(amount, '5001')
    expect(isChosen(/^โอนเงินและแนบสลิป/)).toBe(true)
  })

  test('are not asked about while a top-up is edited', async () => {
    offerMethods()
    await openSheet(row)
    expect(screen.queryByText('วิธีเติมเงิน')).toBeNull()
  })
})
