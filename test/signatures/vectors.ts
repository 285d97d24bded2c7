/** Made with `ssh-keygen -Y sign -n git` of OpenSSH. */
export interface Vector {
  readonly type: string;
  readonly key: string;
  readonly signature: string;
}

/** A commit of the empty tree, without its signature. */
export const PAYLOAD = `tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904
author Owner <owner@example.org> 1700000000 +0100
committer Owner <owner@example.org> 1700000000 +0100

Signed, with ümlauts
`;

export const vectors: readonly Vector[] = [
  {
    type: 'ed25519 of 256 bits',
    key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAII+njih4Xesh9ckSLmbUxQaGSaO6iWnB9pY94sGgYpFT somebody',
    signature: `-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgj6eOKHhd6yH1yRIuZtTFBoZJo7
qJacH2lj3iwaBikVMAAAADZ2l0AAAAAAAAAAZzaGE1MTIAAABTAAAAC3NzaC1lZDI1NTE5
AAAAQHeajSc/RU3qxNqw0PFHrskcpIpHbYAT3MjPcdyAB5bUql0DmkA+UHpGoZGMc59aHn
cTi4UE/7YpLzbGmz784wg=
-----END SSH SIGNATURE-----
`,
  },
  {
    type: 'ecdsa of 256 bits',
    key: 'ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBDikzINbjVJILFw90mzMfx0GjYZExc2m3XbJEfTO/q1x5dWf1ZOhGx2nxZiuS8XMh9YwbYRELFnqtZVKVphfemc= somebody',
    signature: `-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAAGgAAAATZWNkc2Etc2hhMi1uaXN0cDI1NgAAAAhuaXN0cDI1NgAAAE
EEOKTMg1uNUkgsXD3SbMx/HQaNhkTFzabddskR9M7+rXHl1Z/Vk6EbHafFmK5LxcyH1jBt
hEQsWeq1lUpWmF96ZwAAAANnaXQAAAAAAAAABnNoYTUxMgAAAGUAAAATZWNkc2Etc2hhMi
1uaXN0cDI1NgAAAEoAAAAhAPiKfa2OYbfDHDe0FdugkS/SS/wE8kQa+5nc3lxT/xN4AAAA
IQDI5XNHhEPJRwsEa7SWOMgyKP19LIuPSYAkGClvuX0K4A==
-----END SSH SIGNATURE-----
`,
  },
  {
    type: 'ecdsa of 384 bits',
    key: 'ecdsa-sha2-nistp384 AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzODQAAABhBJEsSLar5zW7NnDQeQ2GuE6pN+Byx4i+fVLite6nADc2ssS8cRVrAokNYBtEw/GcLLHZkvE4WgMaO3ZwxxB3RW5VqPk7Vqdh5hz+MuUV4f3KL+SXxyknv0Ye7OxaIqfElA== somebody',
    signature: `-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAAIgAAAATZWNkc2Etc2hhMi1uaXN0cDM4NAAAAAhuaXN0cDM4NAAAAG
EEkSxItqvnNbs2cNB5DYa4Tqk34HLHiL59UuK17qcANzayxLxxFWsCiQ1gG0TD8ZwssdmS
8ThaAxo7dnDHEHdFblWo+TtWp2HmHP4y5RXh/cov5JfHKSe/Rh7s7Foip8SUAAAAA2dpdA
AAAAAAAAAGc2hhNTEyAAAAhAAAABNlY2RzYS1zaGEyLW5pc3RwMzg0AAAAaQAAADBAfYLc
YoOIO83B90Ioq29UkiC/l3M4CJX2Fi/tpwVoS50wXKNgBB245oYVg1M3PKkAAAAxAOOzcU
4/VsEauZNnIuVmjV/xuEza5HPafMmDC8P1+mphpb6DI2N+2FMj3OlQ1BMQLQ==
-----END SSH SIGNATURE-----
`,
  },
  {
    type: 'ecdsa of 521 bits',
    key: 'ecdsa-sha2-nistp521 AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1MjEAAACFBAArL7cLfQk9OCgF26UN0aOKZV0gjbnCibMG8Tg+31e5qT4wABPu1/kXX/ZgM8e4Mof2vZHQ4fSRdMNGpkX/SwRLeQAwbbw2+GG0SWUC1wQilN5P5sLDTYuSPe9L4rpHvrUD6ZmAU3ydwRYHUrhDwMS7QbIrglpW6x2g450xM+22cVGqCg== somebody',
    signature: `-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAAKwAAAATZWNkc2Etc2hhMi1uaXN0cDUyMQAAAAhuaXN0cDUyMQAAAI
UEACsvtwt9CT04KAXbpQ3Ro4plXSCNucKJswbxOD7fV7mpPjAAE+7X+Rdf9mAzx7gyh/a9
kdDh9JF0w0amRf9LBEt5ADBtvDb4YbRJZQLXBCKU3k/mwsNNi5I970viuke+tQPpmYBTfJ
3BFgdSuEPAxLtBsiuCWlbrHaDjnTEz7bZxUaoKAAAAA2dpdAAAAAAAAAAGc2hhNTEyAAAA
pgAAABNlY2RzYS1zaGEyLW5pc3RwNTIxAAAAiwAAAEFmKXB0scqxJ7U6F34SJuESXeMuF+
xq0BhtAE2e4dFu4QcOvORzjuqUC/HH0H/+YFS+lFpychU90cqpzYECGdofrAAAAEIBvqvL
MNV7z3iR3a1KCdces966fJsmoQzmsn4jdi3HgCcdofZ4DhyoS4zEsRM5+zzzU7GZV8IBfb
aUnw7ABMTt93s=
-----END SSH SIGNATURE-----
`,
  },
  {
    type: 'rsa of 3072 bits',
    key: 'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQCd77r4locbd2/MOc2h821h9Axq+78HpCjW16hR3laJqURaEOdj6Nc2OQJ1bINroxh+fen8Bptvfklen7AI5lnWuFgdPZnRLoPQD6wJLL4wLbbv0dQnvKKyaqQP03Uq+wldH/1GVJ0kP91WH0bVq2ldxBy0/nJYvf44+GsE0lwlWeCLx+crmgLSkv6OsTCxt34jq9p6/tG+oOfhtosdB157euAQV1EcQYhWHBhX8c2TIfnYrkr4dsAi12d/AHmuOiMkjOhBA1X9gKFVuYymgyaF8kOad0kZMjypsJ9i8Ww/M8RGy7vx2Ri0ut4x817XUjYcCCMounWawj9a5axM4cAy+wzeYMzIQovi7x3/3nAc7TxY5lV8m+xrIXKjO9WkqrT4CIxQryjpmrykbz78vBavX60I5/GQw4YXM90mOakBz5dygXBuos1GskYW7q0tOaT7dU2doKb/QvHesJuLmqsA0SaVPFGkLJInRrJd3qsKMcxLHR/E8LT6wqAbTchVpWc= somebody',
    signature: `-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAAZcAAAAHc3NoLXJzYQAAAAMBAAEAAAGBAJ3vuviWhxt3b8w5zaHzbW
H0DGr7vwekKNbXqFHeVompRFoQ52Po1zY5AnVsg2ujGH596fwGm29+SV6fsAjmWda4WB09
mdEug9APrAksvjAttu/R1Ce8orJqpA/TdSr7CV0f/UZUnSQ/3VYfRtWraV3EHLT+cli9/j
j4awTSXCVZ4IvH5yuaAtKS/o6xMLG3fiOr2nr+0b6g5+G2ix0HXnt64BBXURxBiFYcGFfx
zZMh+diuSvh2wCLXZ38Aea46IySM6EEDVf2AoVW5jKaDJoXyQ5p3SRkyPKmwn2LxbD8zxE
bLu/HZGLS63jHzXtdSNhwIIyi6dZrCP1rlrEzhwDL7DN5gzMhCi+LvHf/ecBztPFjmVXyb
7GshcqM71aSqtPgIjFCvKOmavKRvPvy8Fq9frQjn8ZDDhhcz3SY5qQHPl3KBcG6izUayRh
burS05pPt1TZ2gpv9C8d6wm4uaqwDRJpU8UaQskidGsl3eqwoxzEsdH8TwtPrCoBtNyFWl
ZwAAAANnaXQAAAAAAAAABnNoYTUxMgAAAZQAAAAMcnNhLXNoYTItNTEyAAABgFOjQP0Vus
qqfl2cscTbD6o0HBmD8PICH+lgZDXq04INTyCAvFpUeXswlTM24uinV+vxzG/l2jFBFWj5
K2dGodHpxi+800Hjiohdgo6L0jsf752v1XAi2OaRtFrnF8mAn/Xu6LV2Yn19CjtGJkmY41
NnHvP95uuZ9HEudMOjn3zRQANZWE/FFyKfaP7RZ5du0fwPb7uWYGNoBE4vYt0ZI8GXbXxN
BjlIWfy9FcmC7ZS3rT80THPSn85V7rkLF7gpNNa0t8G00Jj5hB6co4be+IUy0zjofs2oui
qTJN7+CFvrDaF3DNHRK6jKiV4kA/gEfBfOGVYfaRpnQrZswZ4NWvbQNRTpC/AiteXgKeVt
dokDJ+YNvCMgiqWnd1FEqW+kmBcnXmzf8FVZggS7Mw4i+Jq4pC5v3aJ4fBJRXv320/3mgC
x+AJnEGhbf0knUgi9D0Zm0pOdIEx3v4Mq1eT38CwLTAj2JLf/9qRB757tXrGdtbggRUm+L
wY2ovBJ3P1zRVg==
-----END SSH SIGNATURE-----
`,
  },
];

/** Of the same words by the first key, but for files in general. */
export const FOR_FILES = `-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgj6eOKHhd6yH1yRIuZtTFBoZJo7
qJacH2lj3iwaBikVMAAAAEZmlsZQAAAAAAAAAGc2hhNTEyAAAAUwAAAAtzc2gtZWQyNTUx
OQAAAEBddEbmgnoRmg9vzuO74hjHGQG80LmBPoLpky0Q+BbjRqeNq1vWd2Q36H4r5uKwsg
ixR9yIEx/dU7d5toZP14IP
-----END SSH SIGNATURE-----
`;

/** A tag, signed with the first key, of the commit that `PAYLOAD` and the first signature make. */
export const TAG = {
  payload: `object 7f1df5492543fdcfb16c7a46128579136eac090c
type commit
tag v1
tagger Owner <owner@example.org> 1700000000 +0100

Signed as well
`,
  signature: `-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgj6eOKHhd6yH1yRIuZtTFBoZJo7
qJacH2lj3iwaBikVMAAAADZ2l0AAAAAAAAAAZzaGE1MTIAAABTAAAAC3NzaC1lZDI1NTE5
AAAAQA+M9mMqHeKzh/cJ+Vbo5hyVzob831/w/k6UgDnyEMcZLsF1uTn7OlmXaHS37w58xn
vfQfcFEpGpuAuThVA3Gwc=
-----END SSH SIGNATURE-----
`,
};
