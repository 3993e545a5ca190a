import { AppError } from '../errors.ts'
import { addSeconds } from '../time.ts'

/** Somebody who had the old terms on their screen when new ones came may still buy under the old ones. */
const GRACE_SECONDS = 3600

export interface PublishedTerms {
  version: string
  publishedAt: Date
}

/** The terms in force. */
const latestTerms = <T extends PublishedTerms>(published: readonly T[]): T =>
  published.reduce((latest, each) => (each.publishedAt >= latest.publishedAt ? each : latest))

/** @throws TERMS_CHANGED for a version that was never published, or was replaced more than an hour ago */
export function mustBeTermsInForce(version: string, published: readonly PublishedTerms[], now: Date): void {
  const shown = published.find(each => each.version === version)
  const later = published.filter(({ publishedAt }) => shown && publishedAt > shown.publishedAt)
  const isReplaced = later.some(({ publishedAt }) => now > addSeconds(publishedAt, GRACE_SECONDS))
  if (!shown || isReplaced)
    throw new AppError('TERMS_CHANGED', { details: { version: latestTerms(published).version } })
}
