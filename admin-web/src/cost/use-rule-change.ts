import { changePriceRules, getPriceRules } from '@shop/shared/cost/endpoints.ts'
import type { EndpointInput } from '@shop/shared/endpoint.ts'
import { AppError, messageOf } from '@shop/shared/errors.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useClient } from '../account/session.tsx'
import { useUndoable } from '../audit/use-undoable.tsx'
import { useCatalogueChanged } from '../catalogue/use-catalogue-changed.ts'
import { isSentOn } from '../ui/sent-on.ts'

export type RuleWish = Pick<EndpointInput<typeof changePriceRules>['body'], 'rules' | 'followsCost'>
export type RuleChange = ReturnType<typeof useRuleChange>

const CHANGED_MEANWHILE = 'ต้นทุนหรือราคาเปลี่ยนระหว่างที่ดูตัวอย่าง ตัวอย่างด้านล่างคือผลล่าสุด ตรวจแล้วยืนยันอีกครั้ง'

/** Previews rules of a game, and saves them exactly as previewed. Without a wish there is no preview. */
export function useRuleChange(gameId: number, wish: RuleWish | null, onDone: () => void) {
  const client = useClient()
  const queries = useQueryClient()
  const { save, tellSaved } = useUndoable()
  const catalogueChanged = useCatalogueChanged()
  const preview = useQuery({
    queryKey: [changePriceRules.path, gameId, wish],
    queryFn: ({ signal }) => client.call(changePriceRules, { body: { gameId, ...wish!, applies: true } }, signal),
    enabled: wish !== null,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const apply = useMutation({
    mutationFn: (sent: RuleWish & { applies: boolean; mark: string }) =>
      save(changePriceRules, { body: { gameId, ...sent } }),
    onSuccess: ({ changed }) => {
      tellSaved(changed > 0 ? `บันทึกกฎและปรับราคา ${changed.toLocaleString('en-US')} แพ็กเกจแล้ว` : 'บันทึกกฎราคาแล้ว')
      onDone()
    },
    onError: () => void preview.refetch(),
    onSettled: () => {
      catalogueChanged()
      void queries.invalidateQueries({ queryKey: [getPriceRules.path] })
    },
  })
  const { changed = 0, needsSecond = 0, mark = '' } = preview.data ?? {}
  const isLate = apply.error instanceof AppError && apply.error.code === 'CONFLICT'
  return {
    preview,
    changed,
    needsSecond,
    isSaving: apply.isPending,
    failure: isSentOn(apply.error) ? null : isLate ? CHANGED_MEANWHILE : apply.error && messageOf(apply.error),
    canSave: wish !== null && preview.isSuccess && !preview.isFetching,
    save: (applies: boolean) => wish && apply.mutate({ ...wish, applies, mark }),
  }
}
