CREATE TABLE "account_totp" (
	"uid" text PRIMARY KEY NOT NULL,
	"secret" text,
	"pending_secret" text,
	"used_step" integer DEFAULT 0 NOT NULL,
	"wrong_tries" smallint DEFAULT 0 NOT NULL,
	"locked_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "totp_session" (
	"uid" text NOT NULL,
	"signed_in_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "totp_session_uid_signed_in_at_pk" PRIMARY KEY("uid","signed_in_at")
);
--> statement-breakpoint
ALTER TABLE "account" ADD COLUMN "provider_valid_after" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "account_totp" ADD CONSTRAINT "account_totp_uid_account_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."account"("uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "totp_session" ADD CONSTRAINT "totp_session_uid_account_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."account"("uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
UPDATE "account" SET "providers" = array_remove("providers", 'line');--> statement-breakpoint
DELETE FROM "linked_identity" l USING "account" a
	WHERE a."uid" = l."uid" AND a."email" IS NOT NULL AND NOT a."email_verified" AND a."uid" NOT LIKE 'line:%';
