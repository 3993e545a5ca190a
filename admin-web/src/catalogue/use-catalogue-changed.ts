import { listGames } from '@shop/shared/catalogue/endpoints.ts'
import { listManagedGames, listManagedPackages } from '@shop/shared/catalogue/manage-endpoints.ts'
import { useQueryClient } from '@tanstack/react-query'

/** Returns a function that loads the lists of games and packages again. */
export function useCatalogueChanged(): () => void {
  const queries = useQueryClient()
  return () => {
    for (const { path } of [listManagedGames, listManagedPackages, listGames])
      void queries.invalidateQueries({ queryKey: [path] })
  }
}
