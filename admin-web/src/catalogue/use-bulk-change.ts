import { changePackages } from '@shop/shared/catalogue/bulk-endpoints.ts'
import type { ManagedPackage } from '@shop/shared/catalogue/manage-endpoints.ts'
import type { EndpointInput } from '@shop/shared/endpoint.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { App } from 'antd'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { useCatalogueChanged } from './use-catalogue-changed.ts'

export type BulkAction = EndpointInput<typeof changePackages>['body']['action']
export type BulkChange = ReturnType<typeof useBulkChange>

/** A change of many packages: first what it would do, then doing it. No action, no preview. */
export function useBulkChange(selected: readonly ManagedPackage[], action: BulkAction | null, onDone: () => void) {
  const client = useClient()
  const { message } = App.useApp()
  const [ids, setIds] = useState(() => selected.map(({ id }) => id))
  const preview = useQuery({
    queryKey: [changePackages.path, ids, action],
    queryFn: ({ signal }) => client.call(changePackages, { body: { ids, action: action!, isDryRun: true } }, signal),
    enabled: action !== null && ids.length > 0,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const apply = useMutation({
    mutationFn: (wanted: BulkAction) => client.call(changePackages, { body: { ids, action: wanted, isDryRun: false } }),
    onSuccess: ({ changed }) => {
      message.success(`เปลี่ยน ${changed.toLocaleString('en-US')} แพ็กเกจสำเร็จ`)
      onDone()
    },
    // Somebody changed something since the preview: it shows what.
    onError: () => void preview.refetch(),
    onSettled: useCatalogueChanged(),
  })
  const rows = preview.data?.rows ?? []
  const wrong = new Set(rows.filter(({ problem }) => problem !== null).map(({ id }) => id))
  return {
    preview,
    isApplying: apply.isPending,
    failure: apply.error && messageOf(apply.error),
    changed: preview.data?.changed ?? 0,
    problems: wrong.size,
    canApply:
      action !== null && preview.isSuccess && !preview.isFetching && wrong.size === 0 && preview.data.changed > 0,
    apply: () => action && apply.mutate(action),
    /** Goes on without those that can't be changed. */
    leaveOutProblems: () => setIds(ids.filter(id => !wrong.has(id))),
  }
}
