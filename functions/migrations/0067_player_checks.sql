ALTER TABLE "game" ADD COLUMN "player_checks" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
UPDATE "game" SET "player_checks" = jsonb_build_array(jsonb_build_object('by', "player_check", 'gameCode', ''))
  WHERE "player_check" IS NOT NULL;
