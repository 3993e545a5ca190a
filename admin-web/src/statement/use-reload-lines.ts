import { listStatementAccounts, listStatementLines } from '@shop/shared/statement/endpoints.ts'
import { useQueryClient } from '@tanstack/react-query'

/** Reads again what a decided or new line changes: the list of lines, and how many wait on each account. */
export function useReloadLines(): () => Promise<unknown> {
  const queries = useQueryClient()
  return () =>
    Promise.all(
      [listStatementLines, listStatementAccounts].map(({ path }) => queries.invalidateQueries({ queryKey: [path] })),
    )
}
