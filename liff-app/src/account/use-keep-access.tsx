import { type AccessList, type KeptAccess, listAccess } from '@shop/shared/account/access-endpoints.ts'
import { useRef, useState } from 'react'
import { api } from '../api.ts'
import { KeepAccessSheet, type Named } from './keep-access-sheet.tsx'

/** The owner went back without saying what they keep, so nothing is changed. */
export class NotDecided extends Error {}

const isEmpty = (found: AccessList): boolean => Object.values(found).every(list => list.length === 0)

/**
 * Asks the owner of an account what goes on after they change a secret. `ask` gives what they keep, or undefined where
 * nothing hangs on the secret; it rejects with `NotDecided` when they go back.
 */
export function useKeepAccess(named: Named) {
  const [found, setFound] = useState<AccessList | null>(null)
  const answer = useRef<{ keep: (kept: KeptAccess) => void; back: () => void } | null>(null)
  const ask = async (): Promise<KeptAccess | undefined> => {
    const list = await api.call(listAccess, { params: { secret: named.secret } })
    if (isEmpty(list)) return undefined
    setFound(list)
    return new Promise((resolve, reject) => {
      answer.current = { keep: resolve, back: () => reject(new NotDecided()) }
    })
  }
  const close = (tell: () => void) => {
    setFound(null)
    tell()
  }
  const sheet = (
    <KeepAccessSheet
      named={named}
      found={found}
      onKeep={kept => close(() => answer.current?.keep(kept))}
      onBack={() => close(() => answer.current?.back())}
    />
  )
  return { ask, sheet }
}
