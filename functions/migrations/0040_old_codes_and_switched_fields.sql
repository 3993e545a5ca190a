ALTER TABLE "game" ADD COLUMN "old_codes" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "game" ADD COLUMN "fields_on" boolean[] DEFAULT '{true,true,true,true,true}' NOT NULL;