import { changePackages } from '@shop/shared/catalogue/bulk-endpoints.ts'
import type { EndpointInput } from '@shop/shared/endpoint.ts'
import { AppError, messageOf } from '@shop/shared/errors.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { useUndoable } from '../audit/use-undoable.tsx'
import { useCatalogueChanged } from './use-catalogue-changed.ts'

type Body = EndpointInput<typeof changePackages>['body']
export type BulkAction = Body['action']
export type BulkChange = ReturnType<typeof useBulkChange>

/** The packages to change: some by their ids, or all that match a filter. */
export interface Chosen {
  packages: Body['packages']
  /** Their number, in words. */
  text: string
}

const CHANGED_MEANWHILE = 'มีผู้แก้ไขแพ็กเกจระหว่างที่ดูตัวอย่าง ตัวอย่างด้านล่างคือผลล่าสุด ตรวจแล้วยืนยันอีกครั้ง'

/** Previews a change of many packages, and applies it exactly as previewed. Without an action there is no preview. */
export function useBulkChange({ packages }: Chosen, action: BulkAction | null, onDone: () => void) {
  const client = useClient()
  const { save, tellSaved } = useUndoable()
  const [isWithoutProblems, setIsWithoutProblems] = useState(false)
  const preview = useQuery({
    queryKey: [changePackages.path, packages, action, isWithoutProblems],
    queryFn: ({ signal }) =>
      client.call(changePackages, { body: { packages, action: action!, isWithoutProblems } }, signal),
    enabled: action !== null,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const apply = useMutation({
    mutationFn: (wanted: { action: BulkAction; mark: string }) =>
      save(changePackages, { body: { packages, isWithoutProblems, ...wanted } }),
    onSuccess: ({ changed }) => {
      tellSaved(`เปลี่ยน ${changed.toLocaleString('en-US')} แพ็กเกจสำเร็จ`)
      onDone()
    },
    // Somebody may have changed a package since the preview, so it is loaded again.
    onError: () => void preview.refetch(),
    onSettled: useCatalogueChanged(),
  })
  const { changed = 0, problems = 0, planned = 0, mark = '' } = preview.data ?? {}
  const isLate = apply.error instanceof AppError && apply.error.code === 'CONFLICT'
  return {
    preview,
    isApplying: apply.isPending,
    failure: isLate ? CHANGED_MEANWHILE : apply.error && messageOf(apply.error),
    changed,
    problems,
    planned,
    canApply: action !== null && preview.isSuccess && !preview.isFetching && problems === 0 && changed > 0,
    apply: () => action && apply.mutate({ action, mark }),
    /** Leaves out the packages that can't be changed. */
    leaveOutProblems: () => setIsWithoutProblems(true),
  }
}
