/** Patterns for files that are not source code, by operating system. */
export const systems: Readonly<Record<string, string>> = {
  Linux: `*~

# Files that were removed while they were open
.fuse_hidden*
.nfs*

# Settings of folders, and rubbish of volumes
.directory
.Trash-*
`,

  Windows: `# Thumbnails and folder settings
Thumbs.db
Thumbs.db:encryptable
ehthumbs.db
ehthumbs_vista.db
[Dd]esktop.ini
$RECYCLE.BIN/
*.lnk
*.stackdump

# Installers
*.cab
*.msi
*.msix
*.msm
*.msp
`,

  macOS: `.DS_Store
.AppleDouble
.LSOverride
._*

# At the root of a volume
.DocumentRevisions-V100
.fseventsd
.Spotlight-V100
.TemporaryItems
.Trashes
.VolumeIcon.icns
.com.apple.timemachine.donotpresent

# On shared volumes
.AppleDB
.AppleDesktop
Network Trash Folder
Temporary Items
.apdisk
*.icloud
`,
};
