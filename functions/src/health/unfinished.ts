import { AppError } from '@shop/shared/errors.ts'
import type * as contract from '@shop/shared/health/endpoints.ts'
import { audit } from '../audit/store.ts'
import { closeDeadJob, countDeadJobs, findDeadJobs, retryDeadJob } from '../backlog/dead-jobs.ts'
import { type Context, personOf } from '../call/route.ts'
import * as charges from '../gateway/store.ts'
import { viewChargeForStaff } from '../gateway/view.ts'
import { inJson } from '../http/in-json.ts'
import { jobKindOf } from '../outbox/job-kind.ts'

const MOST_LISTED = 100

/** Shows what nobody outside has answered, and jobs that were given up. */
export async function viewUnfinished({ shop: { db }, now }: Context): Promise<contract.Unfinished> {
  const [unknown, jobs, charge, dead] = await Promise.all([
    charges.findUnknownCharges(db, now, MOST_LISTED),
    findDeadJobs(db, MOST_LISTED),
    charges.countUnknownCharges(db, now),
    countDeadJobs(db),
  ])
  return {
    charges: unknown.map(({ since, target, contradiction, ...row }) => ({
      ...viewChargeForStaff({ ...row, contradiction }),
      since: since.toISOString(),
      target,
      contradiction,
    })),
    jobs: jobs.map(({ kind, ...job }) => ({ ...inJson(job), label: jobKindOf(kind).label })),
    counts: { charges: charge.count, jobs: dead.count },
    nowDate: now.toISOString(),
  }
}

/** What people do about each: whether there was something to do, and how the log calls it. */
const MEND = {
  'charge.close': charges.closeCharge,
  'job.retry': retryDeadJob,
  'job.close': closeDeadJob,
} as const

/** @throws NOT_FOUND for what is finished meanwhile */
export async function mend(context: Context, action: keyof typeof MEND, id: string, reason: string | null) {
  const person = personOf(context)
  const [noun] = action.split('.') as ['charge' | 'job']
  return context.shop.db.transaction(async tx => {
    if (!(await MEND[action](tx, id, person.now))) throw new AppError('NOT_FOUND')
    await audit(tx, person, {
      action,
      subject: `${noun}:${id}`,
      before: null,
      after: reason === null ? {} : { reason },
    })
    return { id }
  })
}
