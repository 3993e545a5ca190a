import { listWaitingFiles, matchStatementLines } from '@shop/shared/statement/import-endpoints.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useClient } from '../account/session.tsx'
import { useReloadLines } from './use-reload-lines.ts'

/** The pause while somebody else matches the same lines, because asking at once would only wait for them. */
const PAUSE_MS = 1500

export interface MatchProgress {
  tried: number
  matched: number
  left: number
  state: 'running' | 'done' | 'failed'
  error: unknown
}

const START: MatchProgress = { tried: 0, matched: 0, left: 0, state: 'running', error: null }

/** Has the server match the new lines of an account, batch after batch, until the component is gone. */
export function useMatching() {
  const client = useClient()
  const queries = useQueryClient()
  const reloadLines = useReloadLines()
  const [progress, setProgress] = useState(START)
  const leaving = useRef<AbortController | null>(null)
  useEffect(() => () => leaving.current?.abort(), [])

  const start = async (of: { receivingAccountId: number; fileId?: string }) => {
    const leave = new AbortController()
    leaving.current = leave
    const { signal } = leave
    let sum: MatchProgress = { ...progress, state: 'running', error: null }
    setProgress(sum)
    try {
      while (sum.state === 'running' && !signal.aborted) {
        const { tried, matched, left, matchedOfFile } = await client.call(matchStatementLines, { body: of }, signal)
        const state = left === 0 ? 'done' : 'running'
        sum = { ...sum, tried: sum.tried + tried, matched: matchedOfFile ?? sum.matched + matched, left, state }
        if (!signal.aborted) setProgress(sum)
        if (tried === 0 && left > 0) await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
      }
    } catch (error) {
      if (!signal.aborted) setProgress({ ...sum, state: 'failed', error })
    }
    void reloadLines()
    void queries.invalidateQueries({ queryKey: [listWaitingFiles.path] })
  }
  return { progress, start }
}
