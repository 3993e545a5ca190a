import { bangkokDay } from '@shop/shared/time.ts'
import { watchTroubles, watchUnclaimed } from '../chat/watch.ts'
import { readSuppliers } from '../cost/following.ts'
import { fetchRates } from '../cost/rates.ts'
import { factsOf, log } from '../http/log.ts'
import { asRequest, newRequestId } from '../http/request-id.ts'
import { timed } from '../metrics/metrics.ts'
import { measureDeliveryTimes } from '../order/delivering/delivery-time.ts'
import { expireOrders, releaseLapsedClaims } from '../order/paying/expiry.ts'
import { tellDailySpending, tellSpends } from '../order/placing/spend-news.ts'
import { beatAndRemember } from '../restore/promotion.ts'
import { watchWitness } from '../restore/witness.ts'
import type { Shop } from '../shop/shop.ts'
import { matchStatements } from '../statement/matching.ts'
import { warnOfOverdue } from '../statement/reconciliation.ts'
import { watchSuppliers } from '../supplier/watch.ts'
import { tryFiles } from '../upload/try-files.ts'
import { nameCodes } from '../voucher/reseal.ts'
import { refreshOut } from '../voucher/store.ts'
import { expireTopUps } from '../wallet/top-up-charge.ts'
import { runNightly } from './check-run.ts'
import { bringBackToNow } from './clock.ts'
import { sweep } from './housekeeping.ts'

/** Work that the shop does on its own, again and again. Each job may run in several processes at once. */
export interface Job {
  /** What it does, in words for staff. */
  title: string
  run(shop: Shop): Promise<unknown>
  /** When Cloud Scheduler runs it, in Bangkok's time. It knows nothing shorter than a minute. */
  schedule: string
  /** The time it may take there. */
  timeoutSeconds: number
  /** How often the one process runs it. */
  everySeconds: number
  /** The one process also runs it when it starts. */
  atStart?: true
}

const DAY_SECONDS = 86_400
/** A nightly job that failed is run again after this time, so that it is not missing until the next night. */
export const RETRY_SECONDS = 300
export const isNightly = ({ everySeconds }: Job): boolean => everySeconds >= DAY_SECONDS

/** The table of all jobs but the outbox, which runs without a pause. The names are those of the scheduled functions. */
export const JOBS = {
  expireorders: {
    title: 'ให้คำสั่งซื้อหมดเวลา',
    run: expireOrders,
    schedule: 'every 1 minutes',
    timeoutSeconds: 60,
    everySeconds: 15,
  },
  expiretopups: {
    title: 'ให้รายการเติมเงินหมดเวลา',
    run: expireTopUps,
    schedule: 'every 1 minutes',
    timeoutSeconds: 60,
    everySeconds: 15,
  },
  releaseclaims: {
    title: 'คืนคำสั่งซื้อที่ไม่มีคนทำต่อ',
    run: releaseLapsedClaims,
    schedule: 'every 1 minutes',
    timeoutSeconds: 60,
    everySeconds: 5,
  },
  measuredeliveries: {
    title: 'คำนวณเวลาเติม',
    run: measureDeliveryTimes,
    schedule: 'every 5 minutes',
    timeoutSeconds: 120,
    everySeconds: 300,
    atStart: true,
  },
  matchstatements: {
    title: 'จับคู่รายการธนาคาร',
    run: matchStatements,
    schedule: 'every 1 minutes',
    timeoutSeconds: 120,
    everySeconds: 30,
  },
  watchsupplier: {
    title: 'ดูเงินที่ผู้จำหน่าย',
    run: watchSuppliers,
    schedule: 'every 1 minutes',
    timeoutSeconds: 60,
    everySeconds: 60,
  },
  refreshstock: {
    title: 'ดูว่าแพ็กเกจใดรหัสหมด',
    run: async ({ db, vouchers, now }) => {
      if (vouchers) await nameCodes(db, vouchers)
      await refreshOut(db, null, bangkokDay(now()))
    },
    schedule: 'every 1 minutes',
    timeoutSeconds: 60,
    everySeconds: 60,
    atStart: true,
  },
  fetchrates: {
    title: 'ดึงอัตราแลกเปลี่ยนจากธนาคารแห่งประเทศไทย',
    run: fetchRates,
    schedule: 'every 60 minutes',
    timeoutSeconds: 60,
    everySeconds: 3600,
    atStart: true,
  },
  readsuppliers: {
    title: 'ดึงราคาและสต็อกของผู้จำหน่าย แล้วปรับต้นทุนและราคา',
    run: readSuppliers,
    schedule: 'every 15 minutes',
    // A supplier with hundreds of categories is asked about each of them.
    timeoutSeconds: 540,
    everySeconds: 900,
    atStart: true,
  },
  watchunclaimed: {
    title: 'เตือนคำสั่งซื้อที่ไม่มีคนรับ',
    run: watchUnclaimed,
    schedule: 'every 1 minutes',
    timeoutSeconds: 60,
    everySeconds: 30,
  },
  watchtroubles: {
    title: 'เตือนปัญหาถึงผู้จัดการ',
    run: watchTroubles,
    schedule: 'every 5 minutes',
    timeoutSeconds: 60,
    everySeconds: 300,
    atStart: true,
  },
  tellspends: {
    title: 'แจ้งการใช้กระเป๋าเงิน',
    run: tellSpends,
    schedule: 'every 1 minutes',
    timeoutSeconds: 60,
    everySeconds: 15,
  },
  telldailyspending: {
    title: 'สรุปการใช้กระเป๋าเงินรายวัน',
    run: tellDailySpending,
    schedule: 'every 15 minutes',
    timeoutSeconds: 60,
    everySeconds: 900,
  },
  tryfiles: {
    title: 'ลองเก็บไฟล์',
    run: tryFiles,
    schedule: 'every 1 minutes',
    timeoutSeconds: 60,
    everySeconds: 60,
    atStart: true,
  },
  trysigningkeys: {
    title: 'ลองอ่านกุญแจที่ยืนยันการเข้าสู่ระบบ',
    run: async ({ signingKeys }) => signingKeys?.fetch(),
    schedule: 'every 1 minutes',
    timeoutSeconds: 60,
    everySeconds: 60,
    atStart: true,
  },
  bringbacktonow: {
    title: 'แก้งานที่เก็บไว้ตอนนาฬิกาเดินล้ำหน้า',
    run: bringBackToNow,
    schedule: 'every 1 minutes',
    timeoutSeconds: 60,
    everySeconds: 60,
    atStart: true,
  },
  watchwitness: {
    title: 'ดูว่าฐานข้อมูลไม่ย้อนกลับไปเป็นของเก่า',
    // The one process beats every second besides; of Functions this is the one that is there all the time.
    run: async shop => {
      await beatAndRemember(shop)
      await watchWitness(shop)
    },
    schedule: 'every 1 minutes',
    timeoutSeconds: 60,
    everySeconds: 5,
  },
  warnoverdue: {
    title: 'เตือนเงินที่ไม่มีรายการธนาคาร',
    run: warnOfOverdue,
    schedule: 'every day 04:00',
    timeoutSeconds: 120,
    everySeconds: DAY_SECONDS,
    atStart: true,
  },
  housekeeping: {
    title: 'ล้างข้อมูลที่หมดอายุ',
    run: async shop => log('INFO', 'housekeeping', await sweep(shop)),
    schedule: 'every day 04:00',
    timeoutSeconds: 1800,
    everySeconds: DAY_SECONDS,
    atStart: true,
  },
  checkledger: {
    title: 'ตรวจบัญชีแยกประเภท',
    run: shop => runNightly(shop, 'ledger'),
    schedule: 'every day 04:30',
    timeoutSeconds: 1800,
    everySeconds: DAY_SECONDS,
    atStart: true,
  },
  checksales: {
    title: 'ตรวจยอดขายรายวัน',
    run: shop => runNightly(shop, 'sales'),
    schedule: 'every day 05:00',
    timeoutSeconds: 1800,
    everySeconds: DAY_SECONDS,
    atStart: true,
  },
  checkgateway: {
    title: 'ตรวจเงินกับผู้ให้บริการรับชำระ',
    run: shop => runNightly(shop, 'gateway'),
    schedule: 'every day 05:15',
    timeoutSeconds: 1800,
    everySeconds: DAY_SECONDS,
    atStart: true,
  },
  checksupplier: {
    title: 'ตรวจการซื้อกับผู้จำหน่าย',
    run: shop => runNightly(shop, 'supplier'),
    schedule: 'every day 05:30',
    timeoutSeconds: 1800,
    everySeconds: DAY_SECONDS,
    atStart: true,
  },
} satisfies Record<string, Job>

/** The name of a job's row in `pulse`. */
export const pulseOf = (name: string): string => `job:${name}`

/** Runs a job, keeps how it ended, and logs a failure; all that it logs has one request id. @throws what the job throws */
export const runJob = (shop: Shop, name: string, job: Job): Promise<unknown> =>
  asRequest(newRequestId(), async () => {
    try {
      return await timed(
        () => shop.beat(pulseOf(name), () => job.run(shop), { keepsStart: true }),
        (seconds, error) =>
          shop.metrics.took('jobDuration', seconds, {
            'shop.job': name,
            'shop.outcome': error === undefined ? 'done' : 'failed',
          }),
      )
    } catch (error) {
      log('ERROR', `${name} failed`, { cause: factsOf(error) })
      throw error
    }
  })

/** Runs a job in the one process; the next run takes place at its usual time, that of a nightly job which failed soon. */
export const runHere = (shop: Shop, name: string, job: Job): void =>
  void runJob(shop, name, job).catch(() => {
    if (isNightly(job)) setTimeout(() => runHere(shop, name, job), RETRY_SECONDS * 1000).unref()
  })
