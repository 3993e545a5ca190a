declare module '../shop/shop.ts' {
  interface Shop {
    /** Counts the answers that this process gave lately. */
    answers: Answers
  }
}

/** What callers of this process were answered lately, in its memory: the database may be what fails. */
export interface Answers {
  note(isFailed: boolean): void
  lately(): { all: number; failed: number }
}

const BUCKET_MS = 10_000
/** Two minutes. */
const BUCKETS = 12

export function openAnswers(now: () => Date): Answers {
  let counts: { bucket: number; all: number; failed: number }[] = []
  const bucketNow = () => Math.floor(now().getTime() / BUCKET_MS)
  /** A clock may jump in both directions. */
  const drop = () => {
    counts = counts.filter(({ bucket }) => Math.abs(bucketNow() - bucket) < BUCKETS)
  }
  return {
    note(isFailed) {
      const bucket = bucketNow()
      let count = counts.at(-1)
      if (count?.bucket !== bucket) {
        drop()
        count = { bucket, all: 0, failed: 0 }
        counts.push(count)
      }
      count.all++
      if (isFailed) count.failed++
    },
    lately() {
      drop()
      const sum = (of: 'all' | 'failed') => counts.reduce((total, count) => total + count[of], 0)
      return { all: sum('all'), failed: sum('failed') }
    },
  }
}
