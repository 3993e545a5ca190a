import { readSlipQr } from '@shop/shared/upload/slip-qr.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO_PAYER, drawSlip, slipQrText } from '../demo-slip.ts'
import type { Counter } from './page.ts'
import { FAULTS } from './register.ts'
import { type RunningSlipProvider, startSlipProvider } from './server.ts'

const account = { id: 1, bankCode: '004', accountNo: '0123456789', name: 'บจก. คราม เติมเกม', promptPayId: null }
const counter: Counter = {
  listAccounts: async () => [account],
  listWaiting: async () => [{ no: 'KT2611-00000001', amountSatang: 9_937, accountId: 1 }],
}

let bank: RunningSlipProvider
beforeAll(async () => {
  bank = await startSlipProvider({ port: 0, counter })
})
afterAll(() => bank.stop())

const pay = (fields: Record<string, string>) =>
  fetch(`${bank.origin}/transfer`, { method: 'POST', body: new URLSearchParams({ account: '1', ...fields }) })

test('who pays is told what was done, where the picture is and what comes next, and can have it again', async () => {
  const page = await (await pay({ amount: '99.37' })).text()
  expect(page).toContain('โอน 99.37 บาทแล้ว')
  expect(page).toContain('slip-99.37.jpg')
  expect(page).toContain('แนบรูปนี้')
  const [path] = /\/slip\/\w+/.exec(page)!
  const slip = await fetch(bank.origin + path)
  expect(slip.headers.get('content-disposition')).toBe('attachment; filename="slip-99.37.jpg"')
  const { width, height } = await sharp(await slip.arrayBuffer()).metadata()
  expect([width, height]).toEqual([720, 1280])
  expect(bank.ask('slipok', slipQrText('014', path.split('/')[2]!), 9_937)?.transfer).toMatchObject({
    amountSatang: 9_937,
    payer: DEMO_PAYER,
  })
})

test('a transfer that goes wrong says what the shop will hear; without an amount nothing is sent', async () => {
  expect(await (await pay({ amount: '50', fault: 'receiver' })).text()).toContain('ร้านจะได้คำตอบ: โอนไปบัญชีอื่น')
  expect((await pay({ amount: 'much' })).status).toBe(400)
})

test('every fault can be chosen, in its group', async () => {
  const page = await (await fetch(bank.origin)).text()
  const select = /<select name="fault"[\s\S]*?<\/select>/.exec(page)![0]
  expect([...select.matchAll(/<option value="(\w+)"/g)].map(([, fault]) => fault)).toEqual(FAULTS)
  expect(select.match(/<optgroup/g)).toHaveLength(5)
})

test('what a slip shows can be read on a machine without a Thai font', async () => {
  const [empty, told] = await Promise.all([
    drawSlip('014', 'REF1', { amountSatang: 1 }),
    drawSlip('014', 'REF1', { amountSatang: 123_456_789 }),
  ])
  // The amount's place has more ink where more digits stand.
  const ink = async (slip: Buffer) => {
    const place = await sharp(slip).extract({ left: 80, top: 660, width: 560, height: 110 }).png().toBuffer()
    return 255 - (await sharp(place).stats()).channels[0]!.mean
  }
  expect(await ink(told)).toBeGreaterThan((await ink(empty)) * 1.5)
  expect(readSlipQr(slipQrText('014', 'REF1'))).toEqual({ kind: 'slip', sendingBank: '014', reference: 'REF1' })
})
