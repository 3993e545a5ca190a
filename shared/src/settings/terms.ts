import { AppError } from '../errors.ts'

/** The versions of the terms that could ever be accepted, the current one last. */
export const TERMS_VERSIONS: readonly string[] = ['2026-11-20', '1']

/** @throws TERMS_UNKNOWN */
export function mustKnowTerms(version: string): void {
  if (!TERMS_VERSIONS.includes(version)) throw new AppError('TERMS_UNKNOWN')
}
