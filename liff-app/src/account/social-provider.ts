import { readInTab } from '../storage.ts'

/** Whether this page was left for Google or Facebook and is back now. */
export const isBackFromRedirect = (): boolean => readInTab('socialRedirect') !== null
