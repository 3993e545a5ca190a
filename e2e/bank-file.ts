import { formatDateTimeSeconds } from '@shop/shared/time.ts'
import { openDatabase } from 'functions/src/database/database.ts'
import { findBalance } from 'local/demo-statement.ts'
import type { Locator, Page } from 'playwright-core'
import { shopPorts } from './shop.ts'

/** What the shop last knew to be on an account: money that comes follows from it. */
async function balanceOf(accountNo: string): Promise<number> {
  const db = openDatabase(`postgresql://postgres@127.0.0.1:${shopPorts().postgres}/shop`, { connections: 1 })
  try {
    const [account] = await db.query<{ id: number }>({
      text: 'SELECT id FROM receiving_account WHERE account_no = $1',
      values: [accountNo],
    })
    return await findBalance(db, account!.id)
  } finally {
    await db.close()
  }
}

const decimal = (amountSatang: number) => `"${(amountSatang / 100).toFixed(2)}"`

/** KBank's statement of deposits: money that came in this minute, one line each. */
export async function kbankFile(accountNo: string, amounts: readonly number[]): Promise<Buffer> {
  const opening = await balanceOf(accountNo)
  const [day, clock] = formatDateTimeSeconds(new Date()).split(' ') as [string, string]
  const short = `${day.slice(0, 2)}-${day.slice(3, 5)}-${day.slice(8)}`
  let balance = opening
  const rows = amounts.map(amount => {
    balance += amount
    return `,${short},${clock.slice(0, 5)},รับโอนเงิน,,,${decimal(amount)},,${decimal(balance)},,K PLUS,,จาก X1234 นาย ทดสอบ`
  })
  const head = [
    `,,,,,,,เลขที่บัญชีเงินฝาก,,,,${accountNo},`,
    ',วันที่,เวลา/ วันที่มีผล,รายการ,ถอนเงิน,,ฝากเงิน,,ยอดคงเหลือ,,ช่องทาง,,รายละเอียด',
    `,${short},,ยอดยกมา,,,,,${decimal(opening)},,,,`,
  ]
  return Buffer.from(`\uFEFF${[...head, ...rows].join('\r\n')}\r\n`)
}

const nameOfKbank = (accountNo: string) => `กสิกรไทย x${accountNo.slice(-4)}`

/** Gives a file to the dialog of the statement page, which shows what an import would do. */
export async function readFile(manager: Page, accountNo: string, file: Buffer): Promise<Locator> {
  await manager.getByRole('button', { name: 'นำเข้าไฟล์ธนาคาร' }).click()
  const dialog = manager.getByRole('dialog')
  await dialog.getByLabel('บัญชีของไฟล์นี้').click()
  await manager.getByTitle(nameOfKbank(accountNo)).click()
  await dialog.locator('input[type=file]').setInputFiles({ name: 'kbank.csv', mimeType: 'text/csv', buffer: file })
  await dialog.getByText('ยอดคงเหลือ').first().waitFor()
  return dialog
}

/** Takes what the dialog shows, and waits until it is matched. */
export async function takeFile(dialog: Locator, { fresh, matched }: { fresh: number; matched: number }): Promise<void> {
  await dialog.getByRole('button', { name: `นำเข้า ${fresh} รายการใหม่` }).click()
  await dialog.getByText('จับคู่เสร็จแล้ว').waitFor()
  await dialog.getByText(`จับคู่ได้ ${matched} รายการ`).waitFor()
  await dialog.getByRole('button', { name: 'เสร็จแล้ว' }).click()
}
